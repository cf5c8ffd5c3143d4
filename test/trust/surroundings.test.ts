/** TR13 and TR5 through the public surface: clocks that jump, scripts without an end, replies without an end. */
import { lstatSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { attempt } from '../../src/kernel/ask/attempt.ts'
import { rehearsalProject, temporaryFolder } from '../support/convene.ts'
import { runResident } from '../support/resident-command.ts'

describe('files that others wrote', () => {
  it('[TR13] a script, a spec or issues with a cycle end with exit code 2 and the file', async () => {
    const folder = temporaryFolder({
      ...rehearsalProject('- when: { ask: answer }\n  reply: &a { message: *a }\n'),
      'spec.yaml': 'id: &a [*a]\n',
      'issues.yaml': 'feature: shop\nissues: &a [*a]\n',
    })
    for (const [words, file] of [
      [['ask', 'Hello'], 'script.yaml'],
      [['build', 'spec.yaml'], 'spec.yaml'],
      [['greenlight', 'shop', '--issues', 'issues.yaml'], 'issues.yaml'],
    ] as const) {
      const { code, stderr } = await runResident([...words], { cwd: folder })
      expect([file, code]).toEqual([file, 2])
      expect(stderr).toContain(file)
      expect(stderr).toContain('never ends')
    }
  })

  it('[TR13] a list of issues beyond a request is refused before it is read', async () => {
    const issue = (number: number) => ({
      number,
      title: 't'.repeat(200),
      body: '',
      acceptance_criteria: [{ id: 'a', text: 'a' }],
      depends_on: [],
      size: 'S',
    })
    const issues = Array.from({ length: 5000 }, (_, index) => issue(index + 1))
    const folder = temporaryFolder({
      ...rehearsalProject('[]'),
      'issues.json': JSON.stringify({ feature: 'shop', issues }),
    })
    const { code, stderr } = await runResident(['greenlight', 'shop', '--issues', 'issues.json'], { cwd: folder })
    expect([code, stderr]).toEqual([2, expect.stringContaining('at most 1 MB')])
  })

  it('[TR13] everything below .convene/ is for its user alone', async () => {
    const folder = temporaryFolder(rehearsalProject("- text: 'Hello.'\n  repeat: true\n"))
    writeFileSync(join(folder, 'note.txt'), 'a note')
    await runResident(['ask', 'Hello', '--to', 'gpt'], { cwd: folder })
    const open = (path: string): string[] =>
      readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
        const below = join(path, entry.name)
        const own = (lstatSync(below).mode & 0o077) === 0 ? [] : [below]
        return entry.isDirectory() ? [...own, ...open(below)] : own
      })
    expect(lstatSync(join(folder, '.convene')).mode & 0o777).toBe(0o700)
    expect(open(join(folder, '.convene'))).toEqual([])
  })
})

describe('replies', () => {
  const agent = { name: 'drip', provider: 'openai', rehearsal: false }
  const request = { kind: 'answer', question: { run: 'r', step: '1', try: 1 }, messages: [] } as const

  it('[TR5] one byte at a time end after retry.call_minutes, and are not retried', async () => {
    let now = 0
    const timers: { at: number; fn: () => void }[] = []
    const clock = {
      now: () => now,
      after(milliseconds: number, fn: () => void) {
        const timer = { at: now + milliseconds, fn }
        timers.push(timer)
        return () => void timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0)
      },
    }
    const calling = attempt(
      { ...agent, call: (_, { onText }) => new Promise(() => setInterval(() => onText?.('x'), 1).unref()) },
      { ...request, messages: [] },
      { clock, signal: new AbortController().signal, silenceMs: 60_000, callMs: 30_000 },
    )
    await expect.poll(() => timers.length).toBe(2)
    now = 30_000
    for (const { fn } of timers.filter(({ at }) => at <= now)) fn()
    expect(await calling).toMatchObject({ ok: false, failure: { reason: 'timeout', retryable: false, rule: 'TR5' } })
  })

  it('[TR5] of any agent are cut at 16 MB', async () => {
    const large = 'x'.repeat(1_000_000)
    const { signal } = new AbortController()
    const clock = { now: () => 0, after: () => () => {} }
    const streaming = attempt(
      {
        ...agent,
        async call(_, { onText, signal: inner }) {
          while (!inner.aborted) {
            onText?.(large)
            await new Promise((resolve) => setImmediate(resolve))
          }
          throw inner.reason
        },
      },
      { ...request, messages: [] },
      { clock, signal },
    )
    expect(await streaming).toMatchObject({ ok: false, failure: { rule: 'TR5', retryable: false } })
    const usage = { inputTokens: 1, outputTokens: 1, usd: 0 }
    const whole = attempt(
      { ...agent, call: async () => ({ ok: true, text: large.repeat(17), usage }) },
      { ...request, messages: [] },
      { clock, signal },
    )
    expect(await whole).toMatchObject({ ok: false, failure: { rule: 'TR5' }, partialText: '' })
  })
})
