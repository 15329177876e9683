"""Semi-automatic annotation (paper §3.2, Appendices D and E): draft, review, agree, gold."""
