# SPDX-License-Identifier: BSD-3-Clause
"""Names the folders for which checks of sources are made."""

# These make libtutti, its front ends and the study of schedules.
LIBRARY = ("src/", "frontends/", "study/draw/", "study/simulate/", "study/traffic/")
# These make the command, without the programs that it measures with.
COMMAND = ("support/", "study/bsp_model/", "study/subcommands/", "study/main.cpp",
           *(f"command/{name}" for name in ("complete/", "measure/", "pvm/", "reproduce/", "run/",
                                            "main.cpp", "commands.hpp")))
