"""Deck files of other programs: JSON, XML, tables, Tabletop Simulator."""
