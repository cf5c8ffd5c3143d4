import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../events.ts'
import { EventFeed } from './event-feed.ts'

const event = (seq: number): StoredEvent => ({
  seq,
  id: String(seq),
  ts: '',
  type: 'thing.done',
  version: 1,
  stream: 's',
  data: {},
})

describe('the feed of a shared log', () => {
  it('[TM1] tells listeners of the events of others before its own, even if they could not be read at first', async () => {
    let isDown = true
    const feed = new EventFeed(0, async (after, limit) => {
      if (isDown) throw new Error('the database is away')
      return [1, 2, 3].filter((seq) => seq > after && seq <= after + limit).map(event)
    })
    const told: number[] = []
    feed.subscribe(({ seq }) => told.push(seq))
    // Events 1 and 2 are of another process; this one wrote 3.
    await expect(feed.upTo(2)).rejects.toThrow('away')
    feed.publish([event(3)])
    expect(told).toEqual([])
    isDown = false
    await feed.upTo(3)
    feed.publish([event(3)])
    expect(told).toEqual([1, 2, 3])
  })
})
