/** What a build cost, how it was verified and what it changed, read from the log and from git. */

import { buildMoved, buildStarted, evidenceRecorded, replyRefused } from '../../build/events.ts'
import { askFinished, askStarted } from '../../kernel/ask/ask-events.ts'
import { type Cost, costOf } from '../../kernel/ask/cost.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import { git } from '../../workspace/git/git.ts'
import type { ShipDeps } from '../deps.ts'

export interface Measured {
  cost: Cost
  /** From its first event to its last. */
  seconds: number
  /** The last run of the tests on the finished work; null if none was recorded. */
  tests: { passed: number; failed: number } | null
  /** Commands that Convene ran itself to verify the work, and replies it sent back. */
  evidence: { commands: number; refusals: number }
  diff: { files: number; added: number; removed: number }
}

export async function measureBuild(deps: ShipDeps, build: string, commit: string | null): Promise<Measured> {
  const types = [askStarted, askFinished, buildStarted, buildMoved, evidenceRecorded, replyRefused].map(
    ({ type }) => type,
  )
  const events = await deps.store.read({ run: build, types })
  const bases = events.flatMap((event) => (buildStarted.is(event) || buildMoved.is(event) ? [event.data.base] : []))
  const base = bases.at(-1) ?? null
  const evidence = events.filter((event) => evidenceRecorded.is(event))
  const tested = evidence.findLast(({ data }) => data.tests !== undefined && ['claim', 'merge'].includes(data.purpose))
  const { passed, failed } = tested?.data.tests ?? { passed: 0, failed: 0 }
  return {
    cost: costOf(events),
    seconds: secondsOf(events),
    tests: tested ? { passed, failed } : null,
    evidence: {
      commands: evidence.filter(({ data }) => !data.reused).length,
      refusals: events.filter((event) => replyRefused.is(event)).length,
    },
    diff: base === null || commit === null ? { files: 0, added: 0, removed: 0 } : await diffOf(deps, base, commit),
  }
}

function secondsOf(events: readonly StoredEvent[]): number {
  const [first, last] = [events[0], events.at(-1)]
  return first && last ? Math.round((Date.parse(last.ts) - Date.parse(first.ts)) / 1000) : 0
}

async function diffOf(deps: ShipDeps, base: string, commit: string): Promise<Measured['diff']> {
  const { repository } = await deps.workspace()
  const lines = (
    await git(['diff-tree', '-r', '--numstat', '--no-renames', base, commit, '--'], { folder: repository.root })
  )
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t').slice(0, 2).map(Number))
  // A binary file has no line counts.
  const sum = (column: number) => lines.reduce((total, counts) => total + (counts[column] || 0), 0)
  return { files: lines.length, added: sum(0), removed: sum(1) }
}
