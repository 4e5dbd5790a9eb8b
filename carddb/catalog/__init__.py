"""The database; nothing else opens it. Use `carddb.catalog.store.Catalog`."""
