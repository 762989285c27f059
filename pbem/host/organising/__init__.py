"""What whoever leads a league may do in its seasons: each use is an act in the log, with who, what and why."""
