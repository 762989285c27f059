"""The mailbox, over IMAP."""
