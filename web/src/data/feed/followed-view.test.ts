import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { ApiError } from '../request.ts'
import { FollowedList } from './followed-list.ts'
import { FollowedView } from './followed-view.ts'
import { StoresById } from './stores-by-id.ts'

const event = (seq: number, run = 'r') =>
  ({ seq, id: `e${seq}`, ts: '', type: 'x', version: 1, stream: 's', run, data: {} }) as StoredEvent

/** The log behind `fetch`. */
let log: StoredEvent[] = []

beforeEach(() => {
  log = []
  vi.useFakeTimers()
  // A hidden page draws no frames.
  vi.stubGlobal('document', { visibilityState: 'hidden' })
  vi.stubGlobal('fetch', async (address: string) => {
    const after = Number(new URL(address, 'http://x').searchParams.get('after'))
    return Response.json({ events: log.filter(({ seq }) => seq > after), next: null })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A view that is the list of events folded into it. */
function follow(read: () => Promise<{ view: number[]; seq: number }>) {
  return new FollowedView<number[], { seqs: number[]; since: number }>({
    initial: [],
    read,
    evolve: (view, { seq }) => [...view, seq],
    includes: ({ run }) => run === 'r',
    log: { run: 'r' },
    show: (seqs, _, since) => ({ seqs, since }),
  })
}

describe('a followed view', () => {
  it('folds on from where the server stood, with the log and with live events', async () => {
    log = [1, 2, 3, 4].map((seq) => event(seq))
    const followed = follow(async () => ({ view: [1, 2], seq: 2 }))
    expect(followed.state.get().phase).toBe('loading')
    await followed.catchUp()
    expect(followed.state.get()).toMatchObject({ phase: 'ready', seqs: [1, 2, 3, 4], since: 2 })
    followed.receive(event(4))
    followed.receive(event(5))
    followed.receive(event(6, 'another'))
    vi.runAllTimers()
    expect(followed.state.get().seqs).toEqual([1, 2, 3, 4, 5])
  })

  it('reads the events it missed after a reconnect, once each', async () => {
    const followed = follow(async () => ({ view: [1], seq: 1 }))
    await followed.catchUp()
    log = [1, 2, 3].map((seq) => event(seq))
    await followed.catchUp()
    followed.receive(event(3))
    vi.runAllTimers()
    expect(followed.state.get().seqs).toEqual([1, 2, 3])
  })

  it('is missing until an event of its own arrives', async () => {
    let exists = false
    const followed = follow(async () => {
      if (!exists) throw new ApiError(404, { code: 'not-found', message: 'no such run' })
      return { view: [1], seq: 1 }
    })
    await followed.catchUp()
    expect(followed.state.get()).toMatchObject({ phase: 'missing', problem: 'no such run' })
    exists = true
    followed.receive(event(1))
    await vi.runAllTimersAsync()
    expect(followed.state.get()).toMatchObject({ phase: 'ready', seqs: [1] })
  })

  it('keeps what it shows when a later read fails', async () => {
    const followed = follow(async () => ({ view: [1], seq: 1 }))
    await followed.catchUp()
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('gone')
    })
    await followed.catchUp()
    expect(followed.state.get()).toMatchObject({ phase: 'ready', seqs: [1] })
  })
})

describe('stores by id', () => {
  it('makes one store for each id and drops the oldest beyond the limit', () => {
    const made: string[] = []
    const stores = new StoresById((id) => {
      made.push(id)
      return { receive: () => {}, catchUp: async () => {} }
    }, 2)
    const a = stores.get('a')
    expect(stores.get('a')).toBe(a)
    stores.get('b')
    stores.get('c')
    expect(made).toEqual(['a', 'b', 'c'])
    expect([...stores.all()]).toHaveLength(2)
    expect(stores.get('a')).not.toBe(a)
  })
})

describe('a followed list', () => {
  it('is read when it is shown, and once for a burst of events that change it', async () => {
    let reads = 0
    const list = new FollowedList({ read: async () => ++reads, isChangedBy: ({ run }) => run === 'r' })
    list.event(event(1))
    await vi.runAllTimersAsync()
    expect(reads).toBe(0)
    const hide = list.show()
    list.show()
    await vi.runAllTimersAsync()
    expect(list.state.get()).toEqual({ lines: 1 })
    for (const seq of [2, 3, 4]) list.event(event(seq))
    list.event(event(5, 'another'))
    await vi.runAllTimersAsync()
    expect(list.state.get()).toEqual({ lines: 2 })
    hide()
    list.event(event(6))
    await vi.runAllTimersAsync()
    expect(reads).toBe(3)
  })

  it('reports a failure only where nothing is shown yet', async () => {
    let fails = true
    const read = async () => {
      if (fails) throw new Error('gone')
      return ['line']
    }
    const list = new FollowedList({ read, isChangedBy: () => true })
    await list.read()
    expect(list.state.get()).toEqual({ lines: null, problem: 'gone' })
    fails = false
    await list.read()
    fails = true
    await list.read()
    expect(list.state.get()).toEqual({ lines: ['line'] })
  })
})
