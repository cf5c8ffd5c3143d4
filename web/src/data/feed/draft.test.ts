import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDelta, type Delta, type Draft } from './draft.ts'

const piece = (offset: number, text: string, attempt = 1): Delta => ({ ask: 'a', attempt, offset, text })
const assemble = (deltas: Delta[]) => deltas.reduce<Draft | undefined>(addDelta, undefined)

describe('a draft', () => {
  it('grows piece by piece', () => {
    expect(assemble([piece(0, ''), piece(0, 'Hel'), piece(3, 'lo')])).toEqual({ attempt: 1, text: 'Hello' })
  })

  it('starts anew with a higher attempt and ignores a lower one', () => {
    const deltas = [piece(0, 'first try'), piece(0, '', 2), piece(0, 'second', 2), piece(9, ' late', 1)]
    expect(assemble(deltas)).toEqual({ attempt: 2, text: 'second' })
  })

  it('takes the whole text again after a reconnect without doubling it', () => {
    expect(assemble([piece(0, 'Hello '), piece(6, 'wor'), piece(0, 'Hello world'), piece(11, '!')])?.text).toBe(
      'Hello world!',
    )
  })

  it('shows nothing of a piece whose beginning was missed', () => {
    expect(addDelta(undefined, piece(5, 'tail'))).toBeUndefined()
    expect(assemble([piece(0, 'Hello'), piece(9, 'tail')])?.text).toBe('Hello')
  })

  it('gives the text however it was cut and however often a part is repeated', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.nat(20), { maxLength: 30 }), (text, cuts) => {
        const deltas: Delta[] = []
        let at = 0
        for (const cut of cuts) {
          const end = Math.min(text.length, at + cut)
          deltas.push(piece(at, text.slice(at, end)))
          if (cut % 3 === 0) deltas.push(piece(0, text.slice(0, end)))
          at = end
        }
        deltas.push(piece(at, text.slice(at)))
        expect(assemble(deltas)?.text).toBe(text)
      }),
    )
  })
})
