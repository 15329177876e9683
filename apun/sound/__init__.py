"""Sound: what is measured of samples and done to them."""
