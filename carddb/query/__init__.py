"""The one query language: search, formats, limits, print selections.

    query = and {"or" and}          and = term {term}
    term  = ["-"] ( "(" query ")" | field op value {"," value} | word | "phrase" )       op = : = != < <= > >=

A bare word or phrase searches name and text: a word is the beginning of a word there, a phrase stands in one piece.
`:` is contains for text, equal for choice, number and boolean, member for lists; `=` is exact; commas mean any of;
`field:none` is absent, and an absent field fails every other comparison. Quotes make `"none"` and `"or"` plain text.
"""

from carddb.query.parser import MAX_LENGTH, MAX_NESTING, Query, parse

__all__ = ["MAX_LENGTH", "MAX_NESTING", "Query", "parse"]
