import { describe, expect, it } from 'vitest'
import type { ListedRun } from '../../data/calls/runs.ts'
import { rowsOf } from './runs-list.ts'

const run = (id: string, more: Partial<ListedRun> = {}): ListedRun => ({
  id,
  kind: 'build',
  status: 'done',
  steps: 1,
  created_at: '2026-03-01T10:00:00.000Z',
  updated_at: '2026-03-01T10:01:00.000Z',
  cost: { asks: 1, calls: 2, tokens: 10, usd: 0.25 },
  ...more,
})

const runs = [
  run('ship-1', { kind: 'ship', title: 'Export the report', created_at: '2026-03-01T09:00:00.000Z' }),
  run('ship-1/plan', { kind: 'plan', parent: 'ship-1' }),
  run('ship-1/run', { kind: 'feature.run', parent: 'ship-1', status: 'running' }),
  run('ship-1/run/issue-2', { kind: 'feature.issue', parent: 'ship-1/run', title: '#2', status: 'failed' }),
  run('build-2', { created_at: '2026-03-02T10:00:00.000Z' }),
  run('lost', { parent: 'gone', created_at: '2026-02-01T10:00:00.000Z' }),
]
const all = { text: '', kind: '', status: '' }
const ids = (...given: Parameters<typeof rowsOf>) =>
  rowsOf(...given).map((row) => `${' '.repeat(row.depth)}${row.run.id}`)

describe('the list of runs', () => {
  it('has the newest first and opens what is below on demand; one without its parent stands alone', () => {
    expect(ids(runs, all, () => false)).toEqual(['build-2', 'ship-1', 'lost'])
    expect(ids(runs, all, (id) => id === 'ship-1')).toEqual([
      'build-2',
      'ship-1',
      ' ship-1/plan',
      ' ship-1/run',
      'lost',
    ])
  })

  it('adds up what everything below a run took, and says where a price is unknown', () => {
    expect(rowsOf(runs, all, () => false)[1]!.cost).toEqual({ asks: 4, calls: 8, tokens: 40, usd: 1 })
    const unknown = [...runs, run('ship-1/x', { parent: 'ship-1', cost: { asks: 1, calls: 1, tokens: 1, usd: null } })]
    expect(rowsOf(unknown, all, () => false)[1]!.cost.usd).toBeNull()
  })

  it('finds runs wherever they stand, and shows what is above them', () => {
    expect(ids(runs, { ...all, status: 'failed' }, () => false)).toEqual([
      'ship-1',
      ' ship-1/run',
      '  ship-1/run/issue-2',
    ])
    expect(ids(runs, { ...all, text: 'REPORT' }, () => false)).toEqual(['ship-1'])
    expect(ids(runs, { ...all, kind: 'plan' }, () => false)).toEqual(['ship-1', ' ship-1/plan'])
    expect(ids(runs, { ...all, text: 'nothing like it' }, () => false)).toEqual([])
  })
})
