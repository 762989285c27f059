"""Mac Gerdts' Imperial."""
