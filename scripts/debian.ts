/** Installs Debian packages if possible: as root, on a machine that has apt-get. Waits while another apt-get is at work. */
import { spawnSync } from 'node:child_process'

/** Installs the first of these sets of packages that Debian has. */
export function installFromDebian(what: string, sets: string[][], isRoot = process.getuid?.() === 0): boolean {
  if (!isRoot || spawnSync('sh', ['-c', 'command -v apt-get']).status !== 0) return false
  console.log(`installing ${what} for the tests (apt-get install ${sets[0]!.join(' ')}) …`)
  // The lists may be locked by another apt-get, which updates them too.
  apt(['update', '-qq'])
  return sets.some((packages, index) =>
    apt(['install', '-y', '-qq', '--no-install-recommends', ...packages], { quiet: index < sets.length - 1 }),
  )
}

function apt(args: string[], { quiet = false } = {}): boolean {
  const { status } = spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', quiet ? 'ignore' : 'inherit'],
  })
  return status === 0
}
