/** Streamed text over HTTP: only matching clients receive it, and secrets are redacted. */
import { describe, expect, it } from 'vitest'
import { openRoom } from '../room/open-room.ts'
import { listen, type Received } from '../support/server.ts'

const secret = 'q7Zt-11-aa+bb/cc==dd'
const finished = ({ events }: Received) => events.some(({ type }) => type === 'run.finished')
const together = (received: Received) => received.deltas.map(({ text }) => text).join('')

describe('streamed text', () => {
  it.each([
    ['an answer', { when: { ask: 'answer' }, text: `The key is ${secret}, keep it.`, stream_ms: 2000 }, 'single'],
    [
      'a turn',
      { when: { ask: 'turn' }, reply: { message: `The key is ${secret}, keep it.`, final: true }, stream_ms: 2000 },
      'collaborate',
    ],
  ])('of %s is redacted like the stored text', async (_, line, mode) => {
    const room = await openRoom([line], { env: { MODEL_KEY: secret } })
    const hearing = listen(room.served, '?after=0', finished)
    await room.ask({ text: 'Which key?', mode, target: 'gpt', participants: ['gpt'] })
    const received = await hearing
    const stored = (await room.transcript()).at(-1)!.text
    expect(stored).toBe('The key is [redacted:MODEL_KEY], keep it.')
    expect(together(received)).toBe(stored)
    expect(received.deltas.filter(({ text }) => text !== '').length).toBeGreaterThan(1)
    for (const { offset, text } of received.deltas) expect(stored.slice(offset, offset + text.length)).toBe(text)
    expect(JSON.stringify(received)).not.toContain(secret.slice(0, 5))
  })

  it('goes only to clients that follow its feature, run or room', async () => {
    const room = await openRoom([{ when: { ask: 'answer' }, text: 'one two three', stream_ms: 100 }])
    const over = new AbortController()
    const places = ['?feature=parser', '?room=elsewhere', '?run=another', `?room=${room.id}`, '']
    const received = places.map(async (query) => {
      const answer = await fetch(`${room.served.server.url}/api/events${query}`, {
        headers: { authorization: `Bearer ${room.served.server.token}`, accept: 'text/event-stream' },
        signal: over.signal,
      })
      let text = ''
      const reading = (async () => {
        for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) text += chunk
      })().catch(() => {})
      return async () => {
        await reading
        return ['one', 'of the parser'].filter((words) => text.includes(words))
      }
    })
    const streams = await Promise.all(received)
    await room.ask({ text: 'Count', mode: 'single', target: 'gpt' })
    room.served.app.deltas.begin('run:b', 'b/1', 1, 'parser')
    room.served.app.deltas.push('b/1', 'of the parser ')
    await listen(room.served, '?feature=parser', ({ deltas }) => deltas.length > 0)
    over.abort()
    expect(await Promise.all(streams.map((stream) => stream()))).toEqual([
      ['of the parser'],
      [],
      [],
      ['one'],
      ['one', 'of the parser'],
    ])
  })
})
