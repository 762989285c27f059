"""Days, hours and zones: which time counts, and what people mean by it."""
