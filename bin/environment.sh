# Finds a Node that can run Convene, and installs what a fresh clone lacks. Sourced by bin/convene and scripts/run.sh,
# which set `root` first. Prints to stderr only: stdout belongs to the command.

node_version=24.21.0

is_fit_node() {
  major=$("$1" --version 2>/dev/null) || return 1
  major=${major#v}
  [ "${major%%.*}" -ge 24 ] 2>/dev/null
}

# Sets `node`. Uses a Node that an earlier start installed without checking its version, which saves a process.
find_node() {
  local_runtime="$root/.runtime"
  cached_runtime="${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/convene/node-$node_version"
  for node in "${CONVENE_NODE:-}" "$local_runtime/node_modules/node/bin/node" "$cached_runtime/node_modules/node/bin/node"; do
    [ -n "$node" ] && [ -x "$node" ] && return 0
  done
  node=$(command -v node 2>/dev/null) && is_fit_node "$node" && return 0
  bring_node
}

bring_node() {
  runtime=$local_runtime
  [ -w "$root" ] && [ -d "$root/src" ] || runtime=$cached_runtime
  command -v npm >/dev/null 2>&1 || {
    echo "convene: needs Node 24 or newer, or npm to install it. Install Node from https://nodejs.org, then run this again." >&2
    exit 2
  }
  echo "convene: installing Node $node_version (once) …" >&2
  mkdir -p "$runtime" || exit 2
  # Install into a staging folder and move it: concurrent or interrupted starts leave no broken Node behind.
  staging="$runtime/staging.$$"
  mkdir -p "$staging" && echo '{"private":true}' >"$staging/package.json"
  npm install --prefix "$staging" --no-save --no-audit --no-fund --loglevel=error "node@$node_version" >&2 || {
    rm -rf "$staging"
    echo "convene: could not install Node $node_version with npm. Install Node 24 or newer yourself, then run this again." >&2
    exit 2
  }
  mv "$staging/node_modules" "$runtime/node_modules" 2>/dev/null
  rm -rf "$staging"
  node="$runtime/node_modules/node/bin/node"
  is_fit_node "$node" || {
    echo "convene: the Node that npm installed in $runtime does not run here. Install Node 24 or newer yourself." >&2
    exit 2
  }
}

# Installs the locked dependencies of a clone when they are absent or the lock file has changed since.
install_dependencies() {
  [ -f "$root/package-lock.json" ] || return 0
  installed="$root/node_modules/.convene-lock"
  [ "$installed" -nt "$root/package-lock.json" ] && return 0
  # The same content with a newer date, as after a checkout: note it, so that the next start need not compare.
  are_dependencies_installed && { touch "$installed" 2>/dev/null || :; } && return 0
  take_turn
  are_dependencies_installed || install_them
  end_turn
}

are_dependencies_installed() {
  cmp -s "$root/package-lock.json" "$root/node_modules/.convene-lock"
}

install_them() {
  echo "convene: installing dependencies …" >&2
  # Use the machine's own Node, whatever its age: npm finds its settings (proxy, certificates) beside it.
  (cd "$root" && npm ci --no-audit --no-fund --loglevel=error >&2 && cp package-lock.json node_modules/.convene-lock) || {
    end_turn
    echo "convene: could not install dependencies. Run 'npm ci' in $root to see why." >&2
    exit 2
  }
}

# Waits while another start installs or builds in this clone: two at once would remove each other's files. One that was killed
# leaves its turn behind, and the next takes it over.
take_turn() {
  turn="$root/.runtime/turn"
  mkdir -p "$root/.runtime" || exit 2
  is_told=
  until write_turn; do
    if [ ! -e "$turn" ]; then
      write_turn && break
      [ -e "$turn" ] || {
        echo "convene: cannot write $turn, which keeps two starts from installing at once" >&2
        exit 2
      }
    fi
    owner=$(cat "$turn" 2>/dev/null)
    if has_ended "$owner"; then
      mv "$turn" "$turn.$$" 2>/dev/null
      # Another start may have taken it over meanwhile.
      [ "$(cat "$turn.$$" 2>/dev/null)" = "$owner" ] || mv -n "$turn.$$" "$turn" 2>/dev/null
      rm -f "$turn.$$"
      continue
    fi
    [ -n "$is_told" ] || echo "convene: waiting for another start of Convene to finish installing …" >&2
    is_told=yes
    sleep 1
  done
}

# Fails if the file is there.
write_turn() {
  [ "$(cat "$turn" 2>/dev/null)" = "$$" ] || (set -C && echo "$$" >"$turn") 2>/dev/null
}

# The process whose number is given, in $turn.
has_ended() {
  # Another process may have the number by now, and none may have been written.
  [ -n "$(find "$turn" -mmin +20 2>/dev/null)" ] && return 0
  [ -n "$1" ] && [ ! -d "/proc/$1" ] && ! kill -0 "$1" 2>/dev/null && ! ps -p "$1" >/dev/null 2>&1
}

end_turn() {
  [ "$(cat "$turn" 2>/dev/null)" != "$$" ] || rm -f "$turn"
}

# Builds the web app of a clone that has none yet.
build_web_app() {
  [ -f "$root/dist/web/index.html" ] && return 0
  take_turn
  if [ ! -f "$root/dist/web/index.html" ]; then
    echo "convene: building the web app (once) …" >&2
    (cd "$root" && PATH="$(dirname "$node"):$root/node_modules/.bin:$PATH" "$node" scripts/build-web.ts >&2) || {
      end_turn
      exit 2
    }
  fi
  end_turn
}
