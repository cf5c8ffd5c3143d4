import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { evolveActivity, noActivity } from './activity.ts'

let seq = 0
function event(type: string, room: string | null, run = 'message-1'): StoredEvent {
  seq += 1
  const stream = room === null ? `run:${run}` : `room:${room}`
  return { seq, id: `e${seq}`, ts: `2026-03-01T10:00:0${seq % 10}.000Z`, type, version: 1, stream, run, data: {} }
}
const after = (events: StoredEvent[], seen: string[] = []) =>
  events.reduce((activity, each) => evolveActivity(activity, each, (room) => seen.includes(room)), noActivity())

describe('activity of rooms', () => {
  it('is going on from a message until its run has ended', () => {
    const said = event('message.posted', 'a')
    expect(after([said]).rooms.a?.running).toEqual(['message-1'])
    expect(after([said, event('reply.posted', 'a')]).rooms.a?.running).toEqual(['message-1'])
    expect(after([said, event('run.finished', null)]).rooms.a?.running).toEqual([])
    expect(after([said, event('run.parked', null)]).rooms.a?.running).toEqual([])
  })

  it('counts replies and notices that nobody has seen', () => {
    const received = [event('reply.posted', 'a'), event('notice.posted', 'a'), event('reply.posted', 'b')]
    const { rooms } = after(received, ['b'])
    expect(rooms.a?.unread).toBe(2)
    expect(rooms.b?.unread).toBe(0)
  })

  it('takes a room that is called like an object property for what it is', () => {
    expect(Object.entries(after([event('reply.posted', 'constructor')]).rooms)).toMatchObject([
      ['constructor', { unread: 1 }],
    ])
  })

  it('ignores what is not said in a room, but remembers how far it has read', () => {
    const other = event('room.created', null, 'x')
    expect(after([other])).toEqual({ ...noActivity(), lastSeq: other.seq })
  })
})
