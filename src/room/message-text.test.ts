import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { messageTextOnly } from './message-text.ts'

const through = (pieces: string[]) => {
  const show = messageTextOnly()
  return pieces.map(show)
}

/** The text in pieces, split at any code unit: inside an escape, a surrogate pair, a key. */
const cuts = (text: string) =>
  fc.array(fc.nat(text.length), { maxLength: 12 }).map((places) => {
    const at = [0, ...places.sort((a, b) => a - b), text.length]
    return at.slice(1).map((end, index) => text.slice(at[index], end))
  })

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '/', '\n', '\u0000', '\u2028', 'é', '😀', '{', '}', '`', 'message', ':'),
  }),
  fc.array(fc.constantFrom('\ud83d', '\ude00', 'x')).map((units) => units.join('')),
)

const escapeAll = (json: string) =>
  json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** An envelope in different notations: keys in any order, spaces, escapes, a code fence. */
const envelope = fc
  .record({ message: anyText, task: anyText, handoffFirst: fc.boolean(), final: fc.boolean() })
  .chain(({ message, task, handoffFirst, final }) => {
    const handoff = { to: 'claude', task }
    const value = handoffFirst ? { handoff, final, message } : { message, handoff, final }
    return fc.record({
      message: fc.constant(message),
      text: fc
        .tuple(fc.constantFrom(undefined, 2), fc.boolean(), fc.constantFrom('', '```', '```json\n', '  \n'))
        .map(([indent, escaped, before]) => {
          const json = JSON.stringify(value, null, indent)
          return `${before}${escaped ? escapeAll(json) : json}${before.trim() === '' ? '' : '\n```'}`
        }),
    })
  })

describe('messageTextOnly', () => {
  it('[TN1] shows the whole message and nothing else, however the reply is formatted and split', () => {
    const case_ = envelope.chain(({ message, text }) => cuts(text).map((pieces) => ({ message, pieces })))
    fc.assert(
      fc.property(case_, ({ message, pieces }) => {
        expect(through(pieces).join('')).toBe(message)
      }),
      { numRuns: 1000 },
    )
  })

  it('[TN1] shows each character as soon as it is complete', () => {
    const shown = through([...'{"message": "a\\n\\u00e9\\ud83d\\ude00", "final": true}'])
    expect(shown.filter((piece) => piece !== '')).toEqual(['a', '\n', 'é', '\ud83d', '\ude00'])
  })

  it('[TN1] ignores tasks, nested keys and values named message', () => {
    expect(through(['{"handoff": {"to": "x", "message": "no"}, "a": "message", "message": "yes"}']).join('')).toBe(
      'yes',
    )
    expect(through(['{"list": [{"message": "no"}], "message": "yes"}']).join('')).toBe('yes')
    expect(through(['{"\\"message\\": \\"no": 1, "message": "yes"}']).join('')).toBe('yes')
  })

  it('[TN2] shows nothing of a reply that is not an object with a message', () => {
    for (const text of ['prose "message": "x"', '["message", "x"]', '{"message": 7}', '{"message": null}', '', 'null'])
      expect([text, through([text]).join('')]).toEqual([text, ''])
  })

  it('[TN2] stops at an invalid escape, and never throws', () => {
    expect(through(['{"message": "good\\x bad"}']).join('')).toBe('good')
    expect(through(['{"message": "good\\u00zz bad"}']).join('')).toBe('good')
    fc.assert(
      fc.property(fc.array(anyText), (pieces) => {
        expect(() => through(pieces)).not.toThrow()
      }),
    )
  })

  it('[TN1] shows a long message that arrives in very small pieces', () => {
    const long = 'x'.repeat(200_000)
    const shown = through(`{"message": "${long}"}`.match(/.{1,3}/g)!)
    expect(shown.join('')).toBe(long)
  })
})
