/** Finds what the tests of sandboxed commands need, or brings it. Where it cannot be had those tests say so and are skipped. */
import { spawnSync } from 'node:child_process'
import { installFromDebian } from './debian.ts'

export function bringSandbox(): void {
  if (process.platform !== 'linux' || works('command -v bwrap')) return
  installFromDebian('a sandbox', ['bubblewrap'])
}

export function bringPytest(): void {
  if (works('python3 -m pytest --version')) return
  installFromDebian('a Python', ['python3', 'python3-pytest'])
}

function works(command: string): boolean {
  return spawnSync('sh', ['-c', command], { stdio: 'ignore' }).status === 0
}
