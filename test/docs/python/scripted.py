"""Stands in for a model: it pays the bill that it is asked for, with the tools that it is given."""

import inspect
import json
import re
from collections.abc import Callable
from typing import Any

Function = Callable[..., Any]


def checked(function: Function) -> Function:
    """What the frameworks document of a function that becomes a tool: a docstring, and types of what it takes."""
    assert function.__doc__, function.__name__
    for one in inspect.signature(function).parameters.values():
        assert one.annotation in (str, int), one
    return function


def pay(asked: str, read_bill: Callable[..., str], send_money: Callable[..., str]) -> str:
    bill = json.loads(read_bill(bill=re.findall(r"b-\d+", asked)[0]))
    return f"Paid: {send_money(to=bill['from'], cents=bill['cents'])}"
