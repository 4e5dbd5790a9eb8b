"""The database, and the only room that opens it. Enter by `carddb.catalog.store.Catalog`."""
