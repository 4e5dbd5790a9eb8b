"""The catalogue's database, which nothing else opens. Use `carddb.catalog.store.Catalog`."""
