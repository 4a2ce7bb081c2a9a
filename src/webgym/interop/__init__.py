"""Interoperability: dataset exports, Gymnasium environments and AReaL."""
