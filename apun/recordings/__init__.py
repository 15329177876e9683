"""People's recordings: sheets and cut lists in, a checked AudioFolder out; and a page to record with."""
