"""Makes a template pay: writes the charges for loops, macros, slices and comparisons into its code.

A charge is a filter whose name no template can write. It takes the context, so that Jinja does not work it out while
it compiles.
"""

from __future__ import annotations

from typing import Any, cast

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context
from jinja2.utils import pass_context
from jinja2.visitor import NodeTransformer

from carddb.layout.template_budget import Budget

_STEP, _LOOP, _SLICE, _WEIGH, _IN, _KEY = "#step", "#loop", "#slice", "#weigh", "#in", "#key"
_NODES_A_STEP = 16
"""Parts of expressions that count as one step."""
_CALL = 2
"""Steps of a call, beside what is called."""
_MEMBERSHIP = ("in", "notin")
_OWN_CHARGE = (nodes.For, nodes.Macro, nodes.CallBlock, nodes.Block)


def charges(budget: Budget) -> dict[str, Any]:
    """The filters that charge a budget."""

    @pass_context
    def step(_context: Context, steps: int) -> None:
        budget.spend(steps)

    @pass_context
    def loop(_context: Context, values: Any, weight: int) -> Any:
        return budget.loop(values, weight)

    @pass_context
    def part(_context: Context, value: Any, start: Any, stop: Any, by: Any) -> Any:
        bounds = slice(start, stop, by)
        budget.make(value, len(range(*bounds.indices(len(value)))))
        return value[bounds]

    @pass_context
    def weigh(_context: Context, value: Any) -> Any:
        budget.weigh(value)
        return value

    @pass_context
    def contained(_context: Context, value: Any, values: Any) -> bool:
        return value in budget.search(value, values)

    @pass_context
    def key(_context: Context, value: Any) -> Any:
        return budget.key(value)

    return {_STEP: step, _LOOP: loop, _SLICE: part, _WEIGH: weigh, _IN: contained, _KEY: key}


class MeteredCode(CodeGenerator):
    """The code of a template with its charges in it."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:
        super().visit_Template(_Meter().visit(node), frame)


class _Meter(NodeTransformer):
    """Adds the charges to the nodes of a template."""

    def visit_Template(self, node: nodes.Template) -> nodes.Node:
        return self._entered(node)

    visit_Macro = visit_CallBlock = visit_Block = visit_Template

    def _entered(self, node: Any) -> nodes.Node:
        """A body that costs a step whenever it is entered."""
        self._charge_body(node)
        entered: nodes.Node = node
        return entered

    def visit_For(self, node: nodes.For) -> nodes.Node:
        """A loop pays for its passes when it begins; one that calls itself pays for each as it comes."""
        if node.recursive:
            self._charge_body(node)
            return node
        weight = _weight([*node.body, *([node.test] if node.test else [])])
        self.generic_visit(node)
        node.iter = _charge(_LOOP, cast(nodes.Expr, node.iter), nodes.Const(weight, lineno=node.lineno))
        return node

    def _charge_body(self, node: Any) -> None:
        weight = _CALL + _weight(node.body)
        self.generic_visit(node)
        charge = _charge(_STEP, nodes.Const(weight, lineno=node.lineno))
        node.body.insert(0, nodes.ExprStmt(charge, lineno=node.lineno))

    def visit_Dict(self, node: nodes.Dict) -> nodes.Node:
        self.generic_visit(node)
        for item in node.items:
            item.key = item.key if _is_constant(item.key) else _charge(_KEY, item.key)
        return node

    def visit_Call(self, node: nodes.Call) -> nodes.Node:
        self.generic_visit(node)
        self._charge_spread(node)
        return node

    visit_Filter = visit_Test = visit_Call

    @staticmethod
    def _charge_spread(node: nodes.Call) -> None:
        """Arguments behind an asterisk are elements that are looked at."""
        if node.dyn_args is not None:
            node.dyn_args = _charge(_LOOP, node.dyn_args, nodes.Const(1, lineno=node.lineno))

    def visit_Getitem(self, node: nodes.Getitem) -> nodes.Node:
        self.generic_visit(node)
        if not isinstance(node.arg, nodes.Slice):
            return node
        absent = nodes.Const(None, lineno=node.lineno)
        bounds = [part or absent for part in (node.arg.start, node.arg.stop, node.arg.step)]
        return _charge(_SLICE, node.node, *bounds)

    def visit_Compare(self, node: nodes.Compare) -> nodes.Node:
        """What is compared with a constant is looked at no further than that is long."""
        self.generic_visit(node)
        first = node.ops[0]
        if len(node.ops) == 1 and first.op in _MEMBERSHIP:
            if _is_constant(first.expr):
                return node
            contained = _charge(_IN, node.expr, first.expr)
            return contained if first.op == "in" else nodes.Not(contained, lineno=node.lineno)
        if not all(_is_constant(operand.expr) for operand in node.ops):
            node.expr = _weighed(node.expr)
            for operand in node.ops[:-1]:
                operand.expr = _weighed(operand.expr)
            if node.ops[-1].op in _MEMBERSHIP:
                node.ops[-1].expr = _weighed(node.ops[-1].expr)
        return node


def _weighed(node: nodes.Expr) -> nodes.Expr:
    """A comparison costs no more than the size of either side, so a constant needs no charge."""
    return node if _is_constant(node) else _charge(_WEIGH, node)


def _charge(name: str, node: nodes.Expr, *arguments: nodes.Expr) -> nodes.Filter:
    return nodes.Filter(node, name, list(arguments), [], None, None, lineno=node.lineno)


def _weight(body: list[nodes.Node]) -> int:
    """The steps of going through a body once; what has a charge of its own counts as one part."""
    waiting, parts = list(body), 0
    while waiting:
        node = waiting.pop()
        parts += 1
        if not isinstance(node, _OWN_CHARGE):
            waiting += node.iter_child_nodes()
    return 1 + parts // _NODES_A_STEP


def _is_constant(node: nodes.Node) -> bool:
    if isinstance(node, nodes.List | nodes.Tuple):
        return all(map(_is_constant, node.items))
    return isinstance(node, nodes.Const)
