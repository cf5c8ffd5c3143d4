#!/bin/sh
# Runs one of the project's scripts on a bare machine: installs Node and the dependencies first if they are missing.
root=$(CDPATH= cd "$(dirname "$0")/.." && pwd -P)
. "$root/bin/environment.sh"
find_node
install_dependencies
PATH="$(dirname "$node"):$root/node_modules/.bin:$PATH"
export PATH
cd "$root" || exit 2
task=$1
shift
exec "$node" --disable-warning=ExperimentalWarning "scripts/$(echo "$task" | tr ':' '-').ts" "$@"
