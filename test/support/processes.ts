/** Looks for processes by a word in their command line, or by a variable of their environment. */
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

export interface SeenProcess {
  pid: number
  parent: number
  env: Record<string, string>
}

/** The processes with this variable, as it was when they began: processes inherit it, those that leave their group too. Linux only. */
export function processesWith(variable: string, value: string): SeenProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const env = environmentOf(name)
        return env[variable] === value ? [{ pid: Number(name), parent: parentOf(name), env }] : []
      } catch {
        // It has ended in the meantime, or belongs to somebody else.
        return []
      }
    })
}

function environmentOf(pid: string): Record<string, string> {
  const pairs = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean)
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))
}

function parentOf(pid: string): number {
  const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^[\s\S]*\) /, '')
    .split(' ')
  return Number(parent)
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
