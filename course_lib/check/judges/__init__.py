"""The asks and judges of questions whose right answers cannot be listed, a module for each kind."""
