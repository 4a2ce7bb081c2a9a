"""The live task monitor."""
