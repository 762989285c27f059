"""Our letters, worded: messages become subject, text and HTML."""

from pbem.adapters.mail_renderer.renderer import AllPages, MailRenderer

__all__ = ["AllPages", "MailRenderer"]
