/** Looks for processes by a word in their command line. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, vi } from 'vitest'

/** A length for `sleep` that no other process has. */
export function uniqueSeconds(): string {
  return `${1000 + Math.floor(Math.random() * 1000)}.${process.pid}${Math.floor(Math.random() * 1e6)}`
}

export function isRunning(word: string): boolean {
  return commandLines().some((line) => line.includes(word))
}

/** A killed process takes a moment to go. */
export async function gone(word: string): Promise<void> {
  await vi.waitFor(() => expect(isRunning(word)).toBe(false), { timeout: 60_000 })
}

function commandLines(): string[] {
  if (!existsSync('/proc/self/cmdline'))
    return spawnSync('ps', ['-A', '-o', 'command'], { encoding: 'utf8' }).stdout.split('\n')
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== `${process.pid}`)
    .map((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
      } catch {
        return ''
      }
    })
}
