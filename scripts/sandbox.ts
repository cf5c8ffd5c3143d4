/** Finds or installs what tests and benches of sandboxed commands need. Without it those tests are skipped with a reason. */
import { spawnSync } from 'node:child_process'
import { installFromDebian } from './debian.ts'

export function installSandbox(): void {
  if (process.platform !== 'linux' || works('command -v bwrap')) return
  installFromDebian('a sandbox', [['bubblewrap']])
}

export function installPytest(): void {
  if (works('python3 -m pytest --version')) return
  installFromDebian('a Python', [['python3', 'python3-pytest']])
}

export function installGo(): void {
  if (works('go version')) return
  installFromDebian('Go', [['golang-go']])
}

function works(command: string): boolean {
  return spawnSync('sh', ['-c', command], { stdio: 'ignore' }).status === 0
}
