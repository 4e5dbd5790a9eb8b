"""The command line: one file a family of verbs; each verb parses, calls the library, prints."""
