"""Builds the C engine against the limited API, so that one wheel serves every CPython from 3.11 on."""

from __future__ import annotations

import sysconfig
from pathlib import Path

from setuptools import Extension, setup

ENGINE = Path("service/engine")
# The command-line program has its own main().
SOURCES = sorted(str(path) for path in ENGINE.glob("*.c") if path.name != "cli.c")
# Free-threaded builds have no limited API.
LIMITED = not sysconfig.get_config_var("Py_GIL_DISABLED")

setup(
    ext_modules=[
        Extension(
            "mitsuboshi.ai._engine",
            sources=SOURCES,
            depends=sorted(str(path) for path in ENGINE.glob("*.h")),
            include_dirs=[str(ENGINE)],
            libraries=["m"],
            define_macros=[("Py_LIMITED_API", "0x030B0000")] if LIMITED else [],
            # Without aliasing rules: memory for any game's position is read as that game's struct.
            extra_compile_args=["-std=c11", "-O3", "-fno-strict-aliasing", "-Wall", "-Wextra", "-Werror"],
            py_limited_api=LIMITED,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if LIMITED else {},
)
