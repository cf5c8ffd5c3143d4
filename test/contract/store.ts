/** The contract of every store: one log in one order, payloads by their hash, exclusive claims. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NewEvent, StoredEvent } from '../../src/kernel/events.ts'
import { type EventFilter, isWanted } from '../../src/kernel/matching-events.ts'
import type { Store } from '../../src/kernel/store.ts'
import { SimulatedClock } from './simulated-clock.ts'

export interface OpenedStore {
  store: Store
  /** Changes the content of a payload behind the store's back; `null` deletes it. */
  damagePayload(ref: string, content: string | null): Promise<void>
  /** The number of stored payloads. */
  countPayloads(): Promise<number>
}

export type OpenStore = (settings: {
  folder: string
  clock: SimulatedClock
  redact: <Value>(value: Value) => Value
}) => Promise<OpenedStore>

export function storeContract(name: string, open: OpenStore): void {
  describe(`${name} store`, () => {
    let folder: string
    let clock: SimulatedClock
    let opened: OpenedStore
    let store: Store

    const reopen = async () => {
      await store.close()
      opened = await open({ folder, clock, redact: hideSecret })
      store = opened.store
    }

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'convene-store-'))
      clock = new SimulatedClock()
      opened = await open({ folder, clock, redact: hideSecret })
      store = opened.store
    })
    afterEach(async () => {
      await store.close()
      await rm(folder, { recursive: true, force: true })
    })

    describe('log', () => {
      it('[EV1] gives each fact one position in one sequence, and stores all of it', async () => {
        const event: NewEvent = {
          type: 'thing.noted',
          version: 3,
          stream: 'room:1',
          run: 'r',
          feature: 'f',
          actor: 'a',
          data: { text: 'ü "\u0000" \ud800', list: [1, null] },
          payload_ref: 'sha256:00',
        }
        const [stored] = await store.append([event])
        expect(stored).toEqual({ ...event, seq: 1, id: expect.any(String), ts: new Date(clock.now()).toISOString() })
        const [bare] = await store.append([fact('s')])
        expect(Object.keys(bare!).sort()).toEqual(['data', 'id', 'seq', 'stream', 'ts', 'type', 'version'])
        await reopen()
        expect(await store.read({})).toEqual([stored, bare])
        expect(await store.lastSeq()).toBe(2)
      })

      it('[EV1] starts empty, and never reuses a number', async () => {
        expect(await store.lastSeq()).toBe(0)
        expect(await store.read({})).toEqual([])
        expect(await store.append([])).toEqual([])
        const seqs: number[] = []
        for (let round = 0; round < 3; round++) {
          seqs.push(...(await store.append([fact('s'), fact('s')])).map((event) => event.seq))
          await reopen()
        }
        expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
        expect(new Set(seqs).size).toBe(6)
      })

      it('[EV1] returns exactly what matches: by run, stream, actor, type and text, from either end', async () => {
        const runs = ['r', 'r/a', 'r/a/b', 'r0', 'r-1', 'other', undefined]
        const facts = Array.from({ length: 120 }, (_, index): NewEvent => {
          const run = runs[index % runs.length]
          return {
            ...fact(`s${index % 2}`, { text: `Nº ${index} "quoted"\n${index % 3 === 0 ? 'Ümlaut' : 'plain'}` }),
            type: index % 5 === 0 ? 'thing.noted' : 'other.noted',
            ...(run === undefined ? {} : { run }),
            ...(index % 4 === 0 ? { actor: 'ada' } : {}),
          }
        })
        await store.append(facts)
        const all = await store.read({})
        const filters: EventFilter[] = [
          { run: 'r' },
          { run: 'r/a' },
          { run: 'nothing' },
          { run: 'r', stream: 's1' },
          { run: 'r', types: ['thing.noted'] },
          { types: [] },
          { actor: 'ada', run: 'r' },
          { text: 'PLAIN' },
          { text: '"quoted"\n' },
          { text: 'ümlaut' },
          { text: 'Ümlaut', run: 'r', types: ['other.noted'] },
          { text: 'thing.' },
          { text: '%' },
        ]
        for (const filter of filters) {
          const wanted = all.filter((event) => isWanted(event, filter))
          expect(await store.read(filter), JSON.stringify(filter)).toEqual(wanted)
          if (['run', 'stream'].includes(Object.keys(filter).join()))
            expect(await store.count({ ...filter, after: 20, before: 100 })).toEqual(
              countsOf(wanted.filter(({ seq }) => seq > 20 && seq < 100)),
            )
          const within = wanted.filter(({ seq }) => seq > 20 && seq < 100)
          const range = { after: 20, before: 100 }
          expect(await store.read({ ...filter, ...range, limit: 7 })).toEqual(within.slice(0, 7))
          expect(await store.read({ ...filter, ...range, last: 7 })).toEqual(within.slice(-7))
        }
        expect(filters.map((filter) => all.filter((event) => isWanted(event, filter)).length > 0)).toEqual(
          filters.map(
            ({ run, types, text }) => run !== 'nothing' && types?.length !== 0 && text !== 'ümlaut' && text !== '%',
          ),
        )
      })

      it('writes all facts of one append or none', async () => {
        const circular: Record<string, unknown> = {}
        circular.self = circular
        const told: StoredEvent[] = []
        store.subscribe((event) => told.push(event))
        const wrong: NewEvent[] = [
          fact('s', circular),
          { ...fact('s'), type: null as unknown as string },
          { ...fact('s'), stream: undefined as unknown as string },
          { ...fact('s'), version: 'one' as unknown as number, data: 1n },
        ]
        for (const event of wrong) {
          const good = store.append([fact('good')])
          const bad = store.append([fact('s'), event, fact('s')])
          const alsoGood = store.append([fact('good')])
          await expect(bad).rejects.toThrow()
          await good
          await alsoGood
        }
        expect(await store.read({ stream: 's' })).toEqual([])
        expect(await store.read({ stream: 'good' })).toHaveLength(8)
        expect(told).toEqual(await store.read({}))
      })

      it('[EV1] writes a fact with the same key once and returns the stored one', async () => {
        const key = { run: 'r', step: '3', n: 0 }
        const [first] = await store.append([{ ...fact('s', 'first'), key }])
        const told: StoredEvent[] = []
        store.subscribe((event) => told.push(event))
        const [again, other] = await store.append([
          { ...fact('elsewhere', 'second'), key },
          { ...fact('s', 'other'), key: { ...key, n: 1 } },
        ])
        expect(again).toEqual(first)
        expect(first!.run).toBe('r')
        await reopen()
        expect(await store.append([{ ...fact('s', 'third'), key }])).toEqual([first])
        const [twice, sameTwice] = await store.append([
          { ...fact('s', 'a'), key: { ...key, n: 2 } },
          { ...fact('s', 'b'), key: { ...key, n: 2 } },
        ])
        expect(sameTwice).toEqual(twice)
        expect((await store.read({})).map((event) => event.data)).toEqual(['first', 'other', 'a'])
        expect(told).toEqual([other])
      })

      it('[EV1] distinguishes keys of different runs, steps and numbers', async () => {
        const keys = [
          { run: 'r', step: '1', n: 0 },
          { run: 'r', step: '1', n: 1 },
          { run: 'r', step: '10', n: 0 },
          { run: 'r2', step: '1', n: 0 },
        ]
        await store.append(keys.map((key) => ({ ...fact('s'), key })))
        await store.append(keys.map((key) => ({ ...fact('s'), key })))
        expect(await store.lastSeq()).toBe(4)
      })

      it('notifies listeners of what is on disk, in the order of the log, however many write at once', async () => {
        const told: StoredEvent[] = []
        const behind: number[] = []
        store.subscribe((event) => {
          told.push(event)
          store.read({ after: event.seq - 1, limit: 1 }).then(([read]) => behind.push(read!.seq - event.seq))
        })
        const writers = Array.from({ length: 40 }, async (_, writer) => {
          for (let round = 0; round < 5; round++) {
            const stored = await store.append([fact(`w${writer}`, round), fact('shared', writer)])
            expect(told.some((event) => event.seq === stored[0]!.seq)).toBe(true)
            if (writer % 3 === 0) await new Promise((resolve) => setImmediate(resolve))
          }
        })
        await Promise.all(writers)
        expect(told.map((event) => event.seq)).toEqual(Array.from({ length: 400 }, (_, index) => index + 1))
        expect(told).toEqual(await store.read({}))
        await expect.poll(() => behind).toEqual(Array(400).fill(0))
      })

      it('publishes what will be read, not what was passed in', async () => {
        const told: StoredEvent[] = []
        store.subscribe((event) => told.push(event))
        const data = { when: new Date(0), gone: undefined, list: [1], secret: 'hush' }
        const [stored] = await store.append([fact('s', data)])
        data.list.push(2)
        const read = await store.read({})
        expect(read[0]!.data).toEqual({ when: '1970-01-01T00:00:00.000Z', list: [1], secret: '[hidden]' })
        expect(told).toStrictEqual(read)
        expect([stored]).toStrictEqual(read)
      })

      it('notifies each listener until it unsubscribes, and continues if one of them fails', async () => {
        const warnings: unknown[] = []
        const onWarning = (warning: Error) => warnings.push(warning.message)
        process.on('warning', onWarning)
        const heard: string[] = []
        const listener = (event: StoredEvent) => void heard.push(`both ${event.seq}`)
        const offFirst = store.subscribe(listener)
        const offSecond = store.subscribe(listener)
        store.subscribe(() => {
          throw new Error('a listener’s mistake')
        })
        const offLast = store.subscribe((event) => {
          heard.push(`last ${event.seq}`)
          offLast()
        })
        await store.append([fact('s'), fact('s')])
        offFirst()
        offFirst()
        await store.append([fact('s')])
        offSecond()
        await store.append([fact('s')])
        await new Promise((resolve) => setImmediate(resolve))
        process.off('warning', onWarning)
        expect(heard).toEqual(['both 1', 'both 1', 'last 1', 'both 2', 'both 2', 'both 3'])
        expect(warnings).toEqual(Array(4).fill('a listener’s mistake'))
      })

      it('lets a listener write', async () => {
        store.subscribe((event) => {
          if (event.stream === 's') store.append([fact('echo', event.seq)])
        })
        await store.append([fact('s'), fact('s')])
        await expect.poll(() => store.read({ stream: 'echo' })).toHaveLength(2)
      })

      it('reads by stream, run and feature, and in pages', async () => {
        for (let index = 0; index < 30; index++) {
          await store.append([
            { ...fact(`s${index % 3}`, index), run: `r${index % 5}`, feature: index % 2 ? 'odd' : undefined },
          ])
        }
        const numbers = async (query: Parameters<Store['read']>[0]) =>
          (await store.read(query)).map((event) => event.data as number)
        const all = Array.from({ length: 30 }, (_, index) => index)
        expect(await numbers({})).toEqual(all)
        expect(await numbers({ stream: 's1' })).toEqual(all.filter((index) => index % 3 === 1))
        expect(await numbers({ run: 'r2' })).toEqual(all.filter((index) => index % 5 === 2))
        expect(await numbers({ feature: 'odd' })).toEqual(all.filter((index) => index % 2 === 1))
        expect(await numbers({ stream: 's0', run: 'r0', feature: 'odd' })).toEqual([15])
        expect(await numbers({ stream: 'nothing' })).toEqual([])
        expect(await numbers({ after: 27 })).toEqual([27, 28, 29])
        expect(await numbers({ after: 30 })).toEqual([])
        expect(await numbers({ after: 5, limit: 3 })).toEqual([5, 6, 7])
        expect(await numbers({ limit: 0 })).toEqual([])
        const pages: number[] = []
        for (let after = 0; ; ) {
          const page = await store.read({ stream: 's2', after, limit: 4 })
          pages.push(...page.map((event) => event.data as number))
          if (page.length === 0) break
          after = page.at(-1)!.seq
        }
        expect(pages).toEqual(all.filter((index) => index % 3 === 2))
      })

      it('treats query syntax as text', async () => {
        const odd = `'; DROP TABLE events; --`
        await store.append([{ ...fact(odd), run: odd, actor: odd, key: { run: odd, step: odd, n: 0 } }])
        expect(await store.read({ stream: odd, run: odd })).toHaveLength(1)
        expect(await store.read({ stream: '%' })).toEqual([])
      })
    })

    describe('payloads', () => {
      const refOf = (content: string | Uint8Array) => `sha256:${createHash('sha256').update(content).digest('hex')}`

      it('[EN1] stores bytes under their hash, over a restart', async () => {
        const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
        const ref = await store.putPayload(bytes)
        expect(ref).toBe(refOf(bytes))
        await reopen()
        expect([...(await store.readPayload(ref))]).toEqual([...bytes])
        expect(Buffer.from(await store.readPayload(await store.putPayload('grüße'))).toString()).toBe('grüße')
        expect(await store.readPayload(await store.putPayload(''))).toHaveLength(0)
      })

      it('[EN1] stores the same content once, even if it is put many times at once', async () => {
        const refs = await Promise.all(Array.from({ length: 20 }, () => store.putPayload('same')))
        expect(new Set(refs).size).toBe(1)
        await store.putPayload('other')
        expect(await opened.countPayloads()).toBe(2)
      })

      it('[EN1] reads ranges', async () => {
        const ref = await store.putPayload('0123456789')
        const read = async (range: { start?: number; end?: number }) =>
          Buffer.from(await store.readPayload(ref, range)).toString()
        expect(await read({ start: 2, end: 5 })).toBe('234')
        expect(await read({ start: 7 })).toBe('789')
        expect(await read({ end: 3 })).toBe('012')
        expect(await read({ start: 8, end: 100 })).toBe('89')
        expect(await read({ start: 100 })).toBe('')
        expect(await read({ start: 5, end: 2 })).toBe('')
        expect(await read({ start: -3, end: 2 })).toBe('01')
        expect(await read({ start: 0, end: 0 })).toBe('')
      })

      it('[EN1] accepts a stream piece by piece, without holding on to the pieces', async () => {
        const size = 20 * 1024 * 1024
        const chunk = Buffer.alloc(64 * 1024)
        async function* stream() {
          // Reuses one buffer for every piece: a store that keeps references to pieces stores the wrong bytes.
          for (let index = 0; index < size / chunk.length; index++) yield chunk.fill(index % 251)
        }
        const hash = createHash('sha256')
        for await (const piece of stream()) hash.update(piece)
        const ref = await store.putPayload(stream())
        expect(ref).toBe(`sha256:${hash.digest('hex')}`)
        const middle = await store.readPayload(ref, { start: 100 * chunk.length - 2, end: 100 * chunk.length + 2 })
        expect([...middle]).toEqual([99, 99, 100, 100])
        expect(await store.readPayload(ref)).toHaveLength(size)
      })

      it('[EN1] stores nothing of a stream that fails', async () => {
        async function* broken() {
          yield Buffer.from('half')
          throw new Error('broke off')
        }
        await expect(store.putPayload(broken())).rejects.toThrow('broke off')
        await expect(store.readPayload(refOf('half'))).rejects.toMatchObject({ code: 'payload_missing' })
        expect(await opened.countPayloads()).toBe(0)
      })

      it('[EN1] detects changed content, whole or in a range, and repairs it when it is put again', async () => {
        const ref = await store.putPayload('what was agreed')
        expect(await store.readPayload(ref, { start: 0, end: 4 })).toHaveLength(4)
        await opened.damagePayload(ref, 'what was forged')
        await expect(store.readPayload(ref)).rejects.toMatchObject({ code: 'payload_damaged' })
        await expect(store.readPayload(ref, { start: 0, end: 4 })).rejects.toMatchObject({ code: 'payload_damaged' })
        await opened.damagePayload(ref, 'cut')
        await reopen()
        await expect(store.readPayload(ref)).rejects.toMatchObject({ code: 'payload_damaged' })
        expect(await store.putPayload('what was agreed')).toBe(ref)
        expect(Buffer.from(await store.readPayload(ref)).toString()).toBe('what was agreed')
      })

      it('[EN1] reports a missing payload and an invalid reference', async () => {
        const ref = await store.putPayload('soon gone')
        await opened.damagePayload(ref, null)
        for (const missing of [ref, refOf('never put')])
          await expect(store.readPayload(missing)).rejects.toMatchObject({ code: 'payload_missing', status: 404 })
        const digest = refOf('x').slice(7)
        const wrong = [
          '',
          'sha256:',
          digest,
          `sha256:${digest.toUpperCase()}`,
          `sha256:${digest}0`,
          `md5:${digest}`,
          `sha256:../../${digest}`,
          `sha256:${digest}\n`,
        ]
        for (const bad of wrong)
          await expect(store.readPayload(bad)).rejects.toMatchObject({ code: 'invalid_input', status: 400 })
      })

      it('redacts secrets in texts', async () => {
        const ref = await store.putPayload('the word is hush')
        expect(Buffer.from(await store.readPayload(ref)).toString()).toBe('the word is [hidden]')
      })
    })

    describe('facts that follow from others', () => {
      const claimed = (n: number): NewEvent => ({ type: 'part.taken', version: 1, stream: 's', run: 'r', data: { n } })

      it('are derived from all events of the run, with no write in between', async () => {
        await store.append([{ ...claimed(-1), run: 'other' }])
        const takers = Array.from({ length: 30 }, (_, n) => n)
        const written = await Promise.all(
          takers.map((n) => store.appendFrom('r', (events) => (events.length < 3 ? [claimed(n)] : []))),
        )
        expect(written.filter((events) => events.length > 0)).toHaveLength(3)
        const stored = await store.read({ run: 'r' })
        expect(stored).toEqual(written.flat())
      })

      it('see what was written below the run, and reach the listeners', async () => {
        await store.append([{ ...claimed(1), run: 'r/child' }])
        const heard: StoredEvent[] = []
        store.subscribe((event) => heard.push(event))
        const written = await store.appendFrom('r', (events) => events.map(({ data }) => ({ ...claimed(2), data })))
        expect(written.map(({ data }) => data)).toEqual([{ n: 1 }])
        await expect.poll(() => heard).toEqual(written)
      })
    })

    describe('claims', () => {
      it('have one holder until they are released', async () => {
        expect(await store.holderOf('part')).toBeNull()
        expect(await store.claim('part', 'a')).toBe(true)
        expect(await store.claim('part', 'b')).toBe(false)
        expect(await store.claim('other', 'b')).toBe(true)
        expect(await store.holderOf('part')).toBe('a')
        await reopen()
        expect(await store.claim('part', 'b')).toBe(false)
        await store.release('part', 'a')
        expect(await store.holderOf('part')).toBeNull()
        expect(await store.claim('part', 'b')).toBe(true)
      })

      it('go to one of a hundred concurrent claimants', async () => {
        const holders = Array.from({ length: 100 }, (_, index) => `holder-${index}`)
        const granted = await Promise.all(holders.map((holder) => store.claim('part', holder, 1000)))
        expect(granted.filter(Boolean)).toHaveLength(1)
        expect(await store.holderOf('part')).toBe(holders[granted.indexOf(true)])
      })

      it('expire when their time is up, and not a moment before', async () => {
        await store.claim('part', 'a', 1000)
        clock.jump(999)
        expect(await store.claim('part', 'b', 1000)).toBe(false)
        expect(await store.holderOf('part')).toBe('a')
        clock.jump(1)
        expect(await store.holderOf('part')).toBeNull()
        expect(await store.claim('part', 'b', 1000)).toBe(true)
        expect(await store.claim('part', 'a', 1000)).toBe(false)
      })

      it('are renewed by their holder, and return to one that let them expire if nobody took them', async () => {
        await store.claim('part', 'a', 1000)
        clock.jump(900)
        expect(await store.claim('part', 'a', 1000)).toBe(true)
        clock.jump(900)
        expect(await store.claim('part', 'b', 1000)).toBe(false)
        clock.jump(200)
        expect(await store.claim('part', 'a')).toBe(true)
        clock.jump(10 ** 12)
        expect(await store.claim('part', 'b')).toBe(false)
      })

      it('are not released by anyone else', async () => {
        await store.claim('part', 'a')
        await store.release('part', 'b')
        await store.release('nothing', 'b')
        expect(await store.holderOf('part')).toBe('a')
        await store.claim('lapsing', 'a', 10)
        clock.jump(10)
        await store.claim('lapsing', 'b', 10)
        await store.release('lapsing', 'a')
        expect(await store.holderOf('lapsing')).toBe('b')
      })
    })

    it('reports that it is closed', async () => {
      await store.close()
      await store.close()
      await expect(store.append([fact('s')])).rejects.toMatchObject({ code: 'closed' })
      await expect(store.read({})).rejects.toMatchObject({ code: 'closed' })
      await expect(store.claim('part', 'a')).rejects.toMatchObject({ code: 'closed' })
    })

    it('completes writes in flight when it is closed, and refuses new ones while it closes', async () => {
      const late: Promise<unknown>[] = []
      store.subscribe(() => late.push(store.append([fact('late')]).catch((error) => error.code)))
      const pending = store.append([fact('s')])
      await store.close()
      await pending
      expect(await Promise.all(late)).toEqual(['closed'])
      await reopen()
      expect((await store.read({})).map((event) => event.stream)).toEqual(['s'])
    })
  })
}

/** How many there are of each type. */
function countsOf(events: StoredEvent[]): { type: string; count: number }[] {
  const types = [...new Set(events.map(({ type }) => type))].sort()
  return types.map((type) => ({ type, count: events.filter((event) => event.type === type).length }))
}

function fact(stream: string, data: unknown = {}): NewEvent {
  return { type: 'thing.noted', version: 1, stream, data }
}

function hideSecret<Value>(value: Value): Value {
  if (typeof value === 'string') return value.replaceAll('hush', '[hidden]') as Value
  if (typeof value !== 'object' || value === null || !('secret' in value)) return value
  return { ...value, secret: hideSecret(value.secret) }
}
