"""The course on planning in games: games, searches, explorers and checks."""
