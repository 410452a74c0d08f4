"""How questions are asked and answers judged, a module for each kind: see `listed`."""
