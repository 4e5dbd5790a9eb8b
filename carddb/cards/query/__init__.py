"""The one query language: search, formats, limits, print selections.

    query = and {"or" and}          and = term {["and"] term}
    term  = ["-"] ( "(" query ")" | field op value {"," value} | word | "phrase" )       op = : = != < <= > >=

A bare word or phrase searches the name and every text field: a word is the beginning of a word there, a phrase stands
in one piece. `:` is contains for text, equal for choice, number and boolean, member for lists; `=` is exact; commas
mean any of; `field:none` is absent, and an absent field fails every other comparison. Reference and set are also those
of each printing. Quotes make `"none"`, `"or"` and `"and"` plain
text.
"""

from carddb.cards.query.parser import MAX_LENGTH, MAX_NESTING, Query, parse, quoted, searched_fields

__all__ = ["MAX_LENGTH", "MAX_NESTING", "Query", "parse", "quoted", "searched_fields"]
