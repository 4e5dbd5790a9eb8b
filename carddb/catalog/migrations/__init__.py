"""How an older catalogue becomes a newer one: one file a step, run in order by `carddb.catalog.schema.upgrade`."""
