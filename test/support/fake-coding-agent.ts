/** Coding agents that play a script: for tests of everything that stands between Convene and a real one. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const fakeAgent = resolve(import.meta.dirname, 'acp-agent.mjs')

export type Action = Record<string, unknown>

export interface FakeScript {
  start?: Record<string, unknown>
  prompts: { contains: string; once?: boolean; do: Action[] }[]
}

export interface FakeCodingAgent {
  command: string[]
  /** Replaces the script; a running agent reads it again for every prompt. */
  play(script: FakeScript): void
  /** What the agent has received, in order. */
  received(): { method?: string; params?: Record<string, unknown> }[]
}

/** Keeps its script and its log in `folder`. */
export function fakeCodingAgent(folder: string, script: FakeScript, name = 'fake'): FakeCodingAgent {
  const file = join(folder, `${name}.json`)
  const log = join(folder, `${name}.log`)
  appendFileSync(log, '')
  const play = (next: FakeScript) => writeFileSync(file, JSON.stringify({ ...next, log }))
  play(script)
  return {
    command: [process.execPath, fakeAgent, file],
    play,
    received: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line))
        : [],
  }
}

const headlessAgent = resolve(import.meta.dirname, 'headless-agent.mjs')

/** A program that behaves like Claude Code in its headless mode. */
export function fakeHeadlessAgent(folder: string, prompts: FakeScript['prompts'], name = 'headless') {
  const file = join(folder, `${name}.json`)
  const log = join(folder, `${name}.log`)
  appendFileSync(log, '')
  const play = (next: FakeScript['prompts']) => writeFileSync(file, JSON.stringify({ prompts: next, log }))
  play(prompts)
  return {
    command: [process.execPath, headlessAgent, file],
    play,
    starts: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { args: string[]; prompt: string; cwd: string; env: string[] }),
  }
}
