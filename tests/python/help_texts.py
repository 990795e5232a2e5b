# SPDX-License-Identifier: BSD-3-Clause
"""Checks the texts of help() and the signatures that an editor shows: everything public has both,
the C code takes the arguments of the signature, and the examples of the texts are right. Runs as a
job of two ranks."""

import doctest
import inspect
import sys

import numpy

import tutti

POSITIONAL = inspect.Parameter.POSITIONAL_ONLY
CLASSES = (tutti.Group, tutti.Plan, tutti.Request, tutti.Op, tutti.Status)
OF_TUPLES = ("count", "index")


def check_texts():
    for name in tutti.__all__:
        value = getattr(tutti, name)
        assert inspect.getdoc(value), f"tutti.{name} has no text"
        if inspect.isroutine(value):
            inspect.signature(value)
    for owner in CLASSES:
        for name, value in inspect.getmembers(owner):
            if not name.startswith(("_", "n_")) and name not in OF_TUPLES:
                assert inspect.getdoc(value), f"{owner.__name__}.{name} has no text"


def check_arguments(owner, object_of_it):
    """Gives each argument by its name, as an object of no use. The call must be refused, and not
    for a name."""
    for name, method in inspect.getmembers(owner, inspect.ismethoddescriptor):
        parameters = list(inspect.signature(method).parameters.values())[1:]
        if name.startswith("_") or not parameters or parameters[0].kind is POSITIONAL:
            continue
        try:
            getattr(object_of_it, name)(**{one.name: object() for one in parameters})
        except (TypeError, tutti.InvalidArgument) as error:
            assert "no argument" not in str(error) and "keyword" not in str(error), error
        else:
            raise AssertionError(f"{name} took objects")


def examples(owner):
    """Runs the examples in the texts of a class. Returns their number."""
    failed = tried = 0
    runner = doctest.DocTestRunner(verbose=False)
    finder = doctest.DocTestParser()
    names = {"tutti": tutti, "numpy": numpy, "world": tutti.world}
    for name, value in inspect.getmembers(owner):
        text = inspect.getdoc(value)
        if text is None or ">>>" not in text or name.startswith("_"):
            continue
        result = runner.run(finder.get_doctest(text, dict(names), name, None, 0))
        failed, tried = failed + result.failed, tried + result.attempted
    assert failed == 0, owner
    return tried


def main():
    check_texts()
    plan = tutti.world.plan("allreduce", "ring")
    check_arguments(tutti.Group, tutti.world)
    check_arguments(tutti.Plan, plan)
    check_arguments(tutti.Request, plan.init(1.0))
    assert sum(map(examples, [*CLASSES, tutti])) > 20
    assert str(inspect.signature(tutti.Group.allreduce)) == "(self, /, input, out=None, op=None)"


if __name__ == "__main__":
    main()
    print("OK")
    sys.exit(0)
