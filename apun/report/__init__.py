"""Tables, pages and comparisons made from finished runs."""
