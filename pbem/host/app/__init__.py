"""The application: what people say, ask and do who have proved who they are, whichever way it has come."""
