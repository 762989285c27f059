"""Games behind the door of `pbem.core.game`: a folder each."""
