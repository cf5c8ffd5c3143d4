import { describe, expect, it } from 'vitest'
import { proseAgreement } from './stance-agreement.ts'
import { verdictIn } from './verdict.ts'

describe('a verdict on what is on the table', () => {
  it.each([
    'Good to go with the view.',
    'Fine by me provided the view lands in the same migration.',
    'LGTM',
    'yeah +1, move it',
    'No objections from my side.',
  ])('[CV5] approves: %s', (sentence) => {
    expect(verdictIn(sentence)).toBe(1)
  })

  it.each([
    'Not fine by me.',
    'I cannot approve this.',
    "I'd approve as soon as that is in.",
    'Blocking: the call is retried without a key.',
    'Please add a key before this goes in.',
    'Hold off for a week.',
  ])('[CV5] refuses: %s', (sentence) => {
    expect(verdictIn(sentence)).toBe(-1)
  })

  it.each(['Is this good to go?', 'The approver was on leave.', 'Retries are capped at three.', 'a'.repeat(60_000)])(
    '[CV5] is not read into: %#',
    (sentence) => {
      expect(verdictIn(sentence)).toBeUndefined()
    },
  )

  it('[CV5] tells reviewers apart that talk about the same thing', () => {
    const asks = 'The retry worries me: a timeout tells us nothing. Please add a key before this goes in.'
    const blocks = 'Blocking: the call is retried, so one click can bill twice. I would approve once there is a key.'
    const merges =
      'I had the same worry about the retry, but the gateway removes doubles. This can be merged as it stands.'
    expect(proseAgreement([asks, blocks])).toBeGreaterThan(0.5)
    expect(proseAgreement([asks, merges])).toBeLessThan(0.3)
  })
})

describe('what else sets agents apart', () => {
  it('[CV5] the same line of a list with another number', () => {
    const list = (limit: string) => `- Limit by key\n- ${limit} requests a minute\n- Answer 429`
    expect(proseAgreement([list('600'), list('600')])).toBeGreaterThan(0.7)
    expect(proseAgreement([list('600'), list('60')])).toBeLessThan(0.45)
  })

  it('[CV5] a number that is a sentence of its own', () => {
    const short = '30 seconds. Longer hides problems.'
    expect(proseAgreement([short, 'I would cap it at half a minute as well.'])).toBeGreaterThan(0.6)
    expect(proseAgreement([short, 'Two minutes. Reports take that long.'])).toBeLessThan(0.3)
  })

  it("[CV5] what it has to be, and let's", () => {
    const ttl = "Let's take the timer for the cache; events cost too much."
    expect(proseAgreement([ttl, 'Prices are in that cache, so it has to be events, not a timer.'])).toBeLessThan(0.4)
    expect(proseAgreement([ttl, "A minute is fine for the cache: let's use the timer."])).toBeGreaterThan(0.6)
  })

  it('[CV5] words that take the other side', () => {
    const first = 'On balance I lean towards dropping version 18.'
    expect(proseAgreement([first, 'I lean towards dropping version 18 as well.'])).toBeGreaterThan(0.7)
    expect(proseAgreement([first, 'I lean the other way on version 18, mildly.'])).toBeLessThan(0.45)
  })
})
