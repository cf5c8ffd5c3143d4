/**
 * A plan through all phases, one of them twice, killed where a test says; and the checks that the crash left no trace.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { planFolder, scored, vote } from '../plan/project.ts'
import { callsFile, momentsFile, planId } from './plan-fixture.ts'
import { type Crash, untilKilled } from './until-killed.ts'

export { planId } from './plan-fixture.ts'

/**
 * An unclear request, a second round, a panel that sends the design back once, an amended design, a repaired contradiction
 * and two concurrent phases.
 */
export function crashProject(): string {
  return planFolder({
    plan: { mpa: { deliberation: { variant: 'full' } }, feature_flags: { s11_parallel_dispatch: true } },
    lines: [
      { when: { ask: 'phase', phase: '3', round: 1 }, repeat: true, reply: scored({ scope: 0, value: 1 }) },
      { when: { ask: 'review', phase: '6', attempt: 1 }, repeat: true, reply: vote(3, 'it loses rows') },
      {
        when: { ask: 'review', phase: '6b', contains: 'You are security-analyst' },
        repeat: true,
        reply: { findings: [{ severity: 'MAJOR', confidence: 90, title: 'Rows may be lost' }] },
      },
      {
        when: { ask: 'phase', contains: 'Reply in this form: an amendment' },
        repeat: true,
        reply: {
          points: [{ id: 'a1', settled: true, how: 'rows are counted' }],
          documents: [
            {
              file: 'design.md',
              summary: 'Rows are counted.',
              sections: [{ heading: 'Approach', text: 'Count rows.' }],
            },
          ],
          key_decisions: [
            { decision: 'Rows are counted', rationale: 'none is lost', confidence: 'HIGH', supersedes: ['D4.2-1'] },
          ],
        },
      },
      {
        when: { ask: 'review', phase: '9', round: 1 },
        repeat: true,
        reply: {
          contradictions: [
            {
              matter: 'Are rows counted?',
              first: { where: 'design.md', says: 'yes' },
              second: { where: 'test-plan.md', says: 'no' },
            },
          ],
        },
      },
      { when: { ask: 'review', phase: '8', contains: 'You are judge-sceptic:' }, repeat: true, fail: 'unavailable' },
    ],
  })
}

/** Starts or resumes the plan in its own process. True if it was killed, false if it finished. */
export function planUntil(folder: string, crash: Crash = {}): Promise<boolean> {
  return untilKilled('plan-fixture.ts', folder, crash)
}

export interface Moment {
  number: number
  phase: string
}

/** Every moment of an undisturbed plan, with its phase. */
export function momentsOf(folder: string): Moment[] {
  let phase = 'begin'
  return linesOf(momentsFile(folder)).map((line, index) => {
    const [, run, name] = /^\S+ (\S+) (.*)$/.exec(line)!
    const [, opened] = /^open phase (\S+)$/.exec(name!) ?? []
    phase = opened ?? phase
    const [, beside] = /\/phase-(\w+)\.\d+$/.exec(run!) ?? []
    return { number: index + 1, phase: beside ?? phase }
  })
}

/** Everything a plan leaves: its files by name, and its report. */
export function remainsOf(folder: string): { files: Record<string, string>; result: unknown } {
  const root = join(folder, '.convene/plans')
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(root, path)).isFile(),
  )
  const files = Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  return {
    files,
    result: rows(folder, 'SELECT status, output FROM runs WHERE id = ?', planId).map(({ status, output }) => [
      status,
      withoutFolder(output, folder),
    ]),
  }
}

function withoutFolder(text: unknown, folder: string): string {
  return String(text).replaceAll(folder, '')
}

/** Recorded asks that are finished. */
export function finishedAsks(folder: string): Set<string> {
  const found = rows(folder, "SELECT data FROM events WHERE type = 'ask.finished'")
  return new Set(found.map(({ data }) => (JSON.parse(String(data)) as { ask: string }).ask))
}

export function callsOf(folder: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const call of linesOf(callsFile(folder))) counts.set(call, (counts.get(call) ?? 0) + 1)
  return counts
}

/** Kills a new plan once for each crash, resumes it, and checks the invariants. Returns how often it was killed. */
export async function crashAndResume(
  atMoments: readonly number[],
  calm: ReturnType<typeof remainsOf>,
): Promise<number> {
  const folder = crashProject()
  const before: { finished: Set<string>; calls: Map<string, number> }[] = []
  for (const atMoment of atMoments) {
    if (!(await planUntil(folder, { atMoment }))) break
    before.push({ finished: finishedAsks(folder), calls: callsOf(folder) })
  }
  expect(await planUntil(folder)).toBe(false)
  const where = `killed at ${atMoments.join(', ')}`
  const calls = callsOf(folder)
  for (const { finished, calls: then } of before)
    for (const ask of finished) expect([where, ask, calls.get(ask)]).toEqual([where, ask, then.get(ask)])
  for (const [ask, count] of calls) expect([where, ask, count <= 1 + before.length]).toEqual([where, ask, true])
  const { files, result } = remainsOf(folder)
  expect([where, result]).toEqual([where, calm.result])
  expect(Object.keys(files)).toEqual(Object.keys(calm.files))
  expect([where, files]).toEqual([where, calm.files])
  return before.length
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}

function rows(folder: string, sql: string, ...values: string[]): Record<string, unknown>[] {
  const file = join(folder, '.convene/convene.db')
  if (!existsSync(file)) return []
  const database = new DatabaseSync(file)
  try {
    return database.prepare(sql).all(...values)
  } catch (error) {
    // Killed before the tables existed.
    if (/no such table/.test((error as Error).message)) return []
    throw error
  } finally {
    database.close()
  }
}
