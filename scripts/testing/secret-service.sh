#!/bin/bash
# Runs a command with a real, unlocked Secret Service: dbus-run-session -- bash secret-service.sh COMMAND...
# The keyring daemon ends with the D-Bus session; nothing of the user's own keyring is seen or touched.
set -euo pipefail
HOME=$(mktemp -d)
XDG_RUNTIME_DIR=$(mktemp -d)
export HOME XDG_RUNTIME_DIR
unset XDG_DATA_HOME XDG_CONFIG_HOME XDG_CACHE_HOME XDG_STATE_HOME TABULARIUM_HOME
trap 'rm -rf "$HOME" "$XDG_RUNTIME_DIR"' EXIT
eval "$(printf 'test\n' | gnome-keyring-daemon --unlock --components=secrets 2>/dev/null | sed 's/^/export /')"
"$@"
