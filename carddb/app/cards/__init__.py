"""Cards: loaded, searched, shown, translated, exported."""
