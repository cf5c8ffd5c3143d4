import { describe, expect, it } from 'vitest'
import { redactedStreams } from '../redaction/redact-stream.ts'
import { type Delta, Deltas } from './deltas.ts'

const secret = 'q7Zt-11-aa+bb/cc==dd'

function listening() {
  const deltas = new Deltas(redactedStreams({ env: { MODEL_KEY: secret } }))
  const heard: Delta[] = []
  deltas.subscribe((_, delta) => heard.push(delta))
  return { deltas, heard }
}

describe('deltas', () => {
  it('carry no secret, also where it comes in two pieces, and count in the text as it is sent', () => {
    const { deltas, heard } = listening()
    deltas.begin('room:a', 'r/1', 1)
    deltas.push('r/1', `It is ${secret.slice(0, 9)}`)
    expect(deltas.current()[0]!.delta.text).toBe('It is ')
    deltas.push('r/1', `${secret.slice(9)}. Keep 🔑 it. `)
    deltas.push('r/1', 'Done.')
    deltas.end('r/1')
    const sent = heard.map(({ text }) => text).join('')
    expect(sent).toBe('It is [redacted:MODEL_KEY]. Keep 🔑 it. Done.')
    let length = 0
    for (const { offset, text } of heard) {
      expect(offset).toBe(length)
      length += text.length
    }
  })

  it('send at the end what had to wait', () => {
    const { deltas, heard } = listening()
    deltas.begin('room:a', 'r/1', 1)
    deltas.push('r/1', 'the letter q')
    expect(heard.at(-1)!.text).toBe('the letter ')
    deltas.end('r/1')
    expect(heard.at(-1)).toEqual({ ask: 'r/1', attempt: 1, offset: 11, text: 'q' })
    expect(deltas.current()).toEqual([])
  })

  it('forget with a new try what waited in the one before', () => {
    const { deltas, heard } = listening()
    deltas.begin('room:a', 'r/1', 1)
    deltas.push('r/1', 'q7Zt')
    deltas.begin('room:a', 'r/1', 2)
    deltas.push('r/1', 'afresh ')
    expect(heard.at(-1)).toEqual({ ask: 'r/1', attempt: 2, offset: 0, text: 'afresh ' })
  })

  it('say where they are shown', () => {
    const { deltas } = listening()
    const places: unknown[] = []
    deltas.subscribe((place) => places.push(place))
    deltas.begin('feature:x', 'r/1', 1, 'x')
    deltas.push('r/1', 'yes ')
    expect(places).toEqual([
      { stream: 'feature:x', feature: 'x' },
      { stream: 'feature:x', feature: 'x' },
    ])
  })
})
