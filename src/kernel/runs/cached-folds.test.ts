import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../events.ts'
import type { Fold } from '../fold.ts'
import type { EventQuery, Store } from '../store.ts'
import { CachedFolds, type CachedFoldsOptions } from './cached-folds.ts'

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

type Seen = { seen: number[] }

function open(options: Partial<CachedFoldsOptions<Seen>> = {}) {
  const events = [event(1, 'a'), event(2, 'b'), event(3, 'a')]
  const reads: EventQuery[] = []
  const store = {
    lastSeq: async () => events.at(-1)!.seq,
    async read(query: EventQuery) {
      reads.push(query)
      const { run, after = 0, before = Number.POSITIVE_INFINITY } = query
      return events.filter((each) => each.run === run && each.seq > after && each.seq < before)
    },
  } as Store
  const folds = new CachedFolds<Seen>(store, { fold: () => counting, query: (run) => ({ run }), ...options })
  const read = (run: string, isFinal = false) =>
    folds.read(run, ({ seen }, { seq }) => ({ seen: [...seen], seq }), { isFinal })
  return { events, reads, read }
}

describe('cached folds', () => {
  it('[EV2] read only what came since, also when two read at once', async () => {
    const { events, reads, read } = open()
    await Promise.all([read('a'), read('a')])
    expect(await read('a')).toEqual({ seen: [1, 3], seq: 3 })
    expect(reads).toHaveLength(1)
    events.push(event(4, 'a'))
    expect(await read('a')).toEqual({ seen: [1, 3, 4], seq: 4 })
    expect(reads.at(-1)).toMatchObject({ run: 'a', after: 3 })
  })

  it('[EV2] read nothing again for a key that is final', async () => {
    const { events, reads, read } = open()
    expect((await read('b', true)).seen).toEqual([2])
    events.push(event(4, 'a'))
    expect((await read('b', true)).seen).toEqual([2])
    expect(reads).toHaveLength(1)
  })

  it('[EV2] drop the least recently read beyond their limit, and fold it anew when it is read again', async () => {
    const { reads, read } = open({ maxEntries: 1 })
    await read('a')
    await read('b')
    expect((await read('a')).seen).toEqual([1, 3])
    expect(reads.map(({ run, after }) => [run, after])).toEqual([
      ['a', 0],
      ['b', 0],
      ['a', 0],
    ])
  })
})
