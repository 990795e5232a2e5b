# SPDX-License-Identifier: BSD-3-Clause
"""Writes the Fortran module tutti_collectives from src/api/collectives.def, so that Fortran has
every collective that C has: blocking, started and prepared. The build runs it. Each collective
becomes a generic interface with one procedure, to which the module tutti adds others.

fortran_collectives.py COLLECTIVES_DEF OUTPUT
"""

import pathlib
import re
import sys

# C type -> four texts: the declaration in the Fortran procedure, the declaration in the interface
# of the C function, the actual argument, and the name that the interface imports (or None).
PARAMETERS = {
    "tutti_group": ("type(tutti_group), intent(in)", "type(tutti_group), value", "{}",
                    "tutti_group"),
    "const tutti_data*": ("type(tutti_data), intent(in)", "type(tutti_data), intent(in)", "{}",
                          "tutti_data"),
    "tutti_op": ("integer(c_int64_t), intent(in)", "type(op_handle), value", "op_handle({})",
                 "op_handle"),
    "int": ("integer, intent(in)", "integer(c_int), value", "{}", None),
    "const int64_t*": ("integer(c_int64_t), intent(in)", "integer(c_int64_t), intent(in)", "{}",
                       "c_int64_t"),
    "tutti_request*": ("type(tutti_request), intent(inout)", "type(tutti_request), intent(inout)",
                       "{}", "tutti_request"),
}
ENTRY = re.compile(r"^TUTTI_COLLECTIVE\(\s*(\w+),\s*\(([^)]*)\)", re.M)
FORMS = ("tutti_{}", "tutti_i{}", "tutti_{}_init")

HEAD = """! SPDX-License-Identifier: BSD-3-Clause
!
! Made by scripts/fortran_collectives.py from src/api/collectives.def.
module tutti_collectives
  use tutti_types
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t
  implicit none
  private
"""


def parameters(text):
    """Returns (type, name) of each parameter of a C parameter list."""
    return [re.match(r"(.*?[ *])(\w+)$", " ".join(one.split())).groups() for one in text.split(",")]


def declarations(given, which, indent):
    lines = []
    for kind, name in given:
        shape = "(*)" if kind == "const int64_t*" else ""
        lines.append(f"{indent}{PARAMETERS[kind][which]} :: {name}{shape}")
    return lines


def procedure(name, given):
    names = [parameter for _, parameter in given]
    imports = [
        "c_int", *dict.fromkeys(PARAMETERS[kind][3] for kind, _ in given if PARAMETERS[kind][3])
    ]
    handed = ", ".join(PARAMETERS[kind][2].format(parameter) for kind, parameter in given)
    return [
        f"  subroutine {name}_data({', '.join(names)}, status)",
        *declarations(given, 0, "    "),
        "    integer, intent(out), optional :: status",
        "    interface",
        f"      integer(c_int) function called({', '.join(names)}) &",
        f"          bind(c, name='{name}')",
        f"        import :: {', '.join(imports)}",
        *declarations(given, 1, "        "),
        "      end function called",
        "    end interface",
        "    call begin",
        f"    call finish(called({handed}), status)",
        f"  end subroutine {name}_data",
        "",
    ]


def main():
    source, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    generics, procedures = [], []
    for collective, text in ENTRY.findall(source.read_text()):
        given = [(kind.strip(), name) for kind, name in parameters(text)]
        for form in FORMS:
            name = form.format(collective)
            more = [] if form == FORMS[0] else [("tutti_request*", "request")]
            generics += [
                f"  public :: {name}", f"  interface {name}", f"    module procedure {name}_data",
                f"  end interface {name}"
            ]
            procedures += procedure(name, given + more)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text("\n".join([
        HEAD.rstrip(), *generics, "", "contains", "", *procedures, "end module tutti_collectives",
        ""
    ]))


main()
