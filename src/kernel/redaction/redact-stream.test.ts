import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactor } from './redact.ts'
import { redactedStreams } from './redact-stream.ts'
import { secretShapes } from './secret-shapes.ts'

const env = {
  MODEL_KEY: 'q7Zt-11-aa+bb/cc==dd',
  LONGER_KEY: 'q7Zt-11-aa+bb/cc==dd-and-more',
  OTHER_SECRET: '==dd and a phrase 77',
  DB_PASSWORD: 'hunter2-hunter2',
}
const options = { env, values: { 'convene token': 'tok-5f3a9d' } }
const { redactText } = createRedactor(options)
const streams = redactedStreams(options)

const samples: Record<string, string> = {
  'anthropic-key': 'sk-ant-api03-abcdefghijklmnop',
  'openai-key': 'sk-proj-abcdefghij0123456789',
  'github-token': 'ghp_abcdefghijklmnopqrst0123',
  'gitlab-token': 'glpat-abcdefghijklmnopqrst',
  'slack-token': 'xoxb-1234567890-abcdef',
  'aws-key': 'AKIAABCDEFGHIJKLMNOP',
  'google-key': `AIza${'Sy0-'.repeat(8)}abc`,
  'stripe-key': 'sk_live_abcdefghijklmnop',
  'npm-token': `npm_${'a1B2'.repeat(9)}`,
  'hugging-face-token': `hf_${'a1B2c3'.repeat(5)}`,
  'groq-key': `gsk_${'a1B2'.repeat(10)}`,
  'convene-token': `cvn_${'a1B2c'.repeat(8)}xyz`,
  'json-web-token': 'eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSMeK',
  'private-key': '-----BEGIN RSA PRIVATE KEY-----\nMIIE-pA\n-----END RSA PRIVATE KEY-----',
  authorization: 'Authorization: Basic dXNlcjpwYXNz',
  'bearer-token': 'bearer abcdefgh12345678',
}

/** What listeners have received after each piece. */
function seen(pieces: string[]): string[] {
  const stream = streams()
  let text = ''
  const steps = pieces.map((piece) => (text += stream.push(piece)))
  return [...steps, text + stream.end()]
}

describe('redacting a stream', () => {
  it('shows nothing of a secret split over two pieces', () => {
    expect(seen(['the key is q7Zt-1', '1-aa+bb/cc==dd, keep it!'])).toEqual([
      'the key is ',
      'the key is [redacted:MODEL_KEY], keep it!',
      'the key is [redacted:MODEL_KEY], keep it!',
    ])
  })

  it('shows nothing of a secret that arrives letter by letter, and everything around it', () => {
    const text = `a ${env.DB_PASSWORD} b ${env.LONGER_KEY} c tok-5f3a9d d ${env.OTHER_SECRET}`
    const steps = seen([...text])
    expect(steps.at(-1)).toBe(redactText(text))
    for (const step of steps) expect(redactText(text).startsWith(step)).toBe(true)
  })

  it.each(secretShapes.map(({ name }) => name))('shows nothing of a %s, however it is split', (name) => {
    const text = `Look: ${samples[name]!} was it.`
    expect(redactText(text)).toContain(`[redacted:${name}]`)
    for (let cut = 1; cut < text.length; cut += 1)
      for (const step of seen([text.slice(0, cut), text.slice(cut)]))
        expect(redactText(text).startsWith(step)).toBe(true)
    expect(seen([...text]).at(-1)).toBe(redactText(text))
  })

  it('holds ordinary words back only while they could be a secret', () => {
    expect(seen(['A bear', ' walks. '])[1]).toBe('A bear walks. ')
    expect(seen(['Eine Straße, ein Haus. '])[0]).toBe('Eine Straße, ein Haus. ')
    expect(seen(['一个没有空格的句子'])[0]).toBe('一个没有空格的句子')
  })

  it('releases the end of a text that began like a secret, but not most of a known one', () => {
    expect(seen(['tokens: tok']).at(-1)).toBe('tokens: tok')
    expect(seen(['one two thr', 'ee four']).at(-1)).toBe('one two three four')
    expect(seen(['it is hunter2-hunt']).at(-1)).toBe('it is ')
  })

  it('stays fast on text made to look like secrets', () => {
    const stream = streams()
    const hostile = [
      'sk-'.repeat(300_000),
      `ghp_${'a'.repeat(500_000)}sk-`,
      '-----BEGIN PRIVATE KEY-----'.repeat(20_000),
    ]
    let shown = ''
    for (const text of hostile)
      for (let at = 0; at < text.length; at += 5000) shown += stream.push(text.slice(at, at + 5000))
    shown += stream.push(' done.') + stream.end()
    expect(shown).toContain('[redacted:')
    expect(shown).not.toContain('aaaa')
  })

  it('keeps no state between streams', () => {
    streams().push('hunter2-')
    expect(streams().push('hunter2 was here ')).toBe('hunter2 was here ')
  })

  it('produces the same text as redacting the whole at once', () => {
    const word = fc.oneof(
      fc.constantFrom(
        ...Object.values(env),
        ...Object.values(samples),
        'sk-',
        'bearer ',
        '==dd',
        '-',
        ' ',
        '\n',
        'AKIA',
      ),
      fc.string({ maxLength: 6 }),
    )
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 8 }),
        fc.array(fc.nat(40), { minLength: 1, maxLength: 6 }),
        (words, cuts) => {
          // End with a word that cannot start a secret, to keep a cut-off secret out of the comparison.
          const text = `${words.join('')} .`
          const pieces: string[] = []
          for (let at = 0, turn = 0; at < text.length; turn += 1) {
            const length = 1 + cuts[turn % cuts.length]!
            pieces.push(text.slice(at, at + length))
            at += length
          }
          const whole = redactText(text)
          const steps = seen(pieces)
          for (const step of steps) expect(whole.startsWith(step)).toBe(true)
          expect(steps.at(-1)).toBe(whole)
        },
      ),
      { numRuns: 300 },
    )
  })
})
