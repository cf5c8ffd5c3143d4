import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../events.ts'
import type { Fold } from '../fold.ts'
import type { EventQuery, Store } from '../store.ts'
import { KeptFolds } from './cached-folds.ts'

const event = (seq: number, run: string): StoredEvent => ({
  seq,
  id: String(seq),
  ts: '',
  type: 'thing.done',
  version: 1,
  stream: 's',
  run,
  data: {},
})

const counting: Fold<{ seen: number[] }> = {
  initial: () => ({ seen: [] }),
  evolve(state, { seq }) {
    state.seen.push(seq)
    return state
  },
}

function open() {
  const events = [event(1, 'a'), event(2, 'b'), event(3, 'a')]
  const reads: EventQuery[] = []
  const store = {
    async read(query: EventQuery) {
      reads.push(query)
      return events.filter(({ seq, run }) => run === query.run && seq > (query.after ?? 0))
    },
  } as Store
  return { events, reads, folds: new KeptFolds(store, () => counting) }
}

describe('kept folds', () => {
  it('[EV2] read only what came since, also when two read at once', async () => {
    const { events, reads, folds } = open()
    const run = { id: 'a', status: 'running' as const }
    await Promise.all([folds.read(run), folds.read(run)])
    expect((await folds.read(run)).seen).toEqual([1, 3])
    events.push(event(4, 'a'))
    expect((await folds.read(run)).seen).toEqual([1, 3, 4])
    expect(reads.at(-1)).toEqual({ run: 'a', after: 3 })
  })

  it('[EV2] of a run that has ended nothing is read again', async () => {
    const { reads, folds } = open()
    expect((await folds.read({ id: 'b', status: 'done' })).seen).toEqual([2])
    expect((await folds.read({ id: 'b', status: 'done' })).seen).toEqual([2])
    expect(reads).toHaveLength(1)
  })
})
