import { describe, expect, it } from 'vitest'
import { conclusionOf, extractAgreement } from './position-extraction.ts'

const score = (...outputs: string[]) => extractAgreement(outputs).score

describe('agreement read from the outputs', () => {
  it('[CV5] compares answers where most outputs state one', () => {
    expect(extractAgreement(['\\boxed{12}', 'so \\boxed{12 eggs}', 'the answer is 12'])).toMatchObject({
      from: 'answers',
    })
    expect(score('\\boxed{12}', 'so \\boxed{12 eggs}', 'the answer is 12')).toBeGreaterThan(0.9)
    expect(score('\\boxed{12}', '\\boxed{12}', '\\boxed{13}')).toBeCloseTo(0.345, 10)
    expect(score('(A) tides', '(B)')).toBe(0)
  })

  it('[CV5] asks every single agent: one dissenter among seven is enough', () => {
    const six = Array.from({ length: 6 }, () => 'I get \\boxed{7}.')
    expect(score(...six, 'I get \\boxed{7}.', 'It is \\boxed{7}.')).toBeGreaterThan(0.9)
    expect(score(...six, 'I get \\boxed{8}.')).toBeLessThan(0.7)
  })

  it('[CV5] does not count an output without any answer as agreeing', () => {
    expect(score('\\boxed{7}', '\\boxed{7}', 'I would rather sing.')).toBeLessThan(0.7)
  })

  it.each([
    ['another name', 'We should use PostgreSQL for the data layer.', 'We should use MongoDB for the data layer.'],
    ['a negation', 'Add a ferry to the timetable.', 'Do not add a ferry to the timetable.'],
    ['another number', 'Set the limit to 20 requests.', 'I would set the limit to 50 requests.'],
    ['yes and no', 'Yes, we should do it.', 'No, we should not do it.'],
    [
      'the other option',
      'Ferry or bridge? Bridges last. I choose the bridge.',
      'Ferry or bridge? Ferries are cheap. I choose the ferry.',
    ],
    ['a number that "that" points to', "Use 25 ferries. That's what I would plan.", 'Ten are plenty. Plan 10.'],
    ['a number before "I\'d say"', "Three ferries, I'd say.", 'I would put five ferries on the route.'],
    ['opposites', 'Open it up to the public.', 'Keep it closed.'],
  ])('[CV5] hears disagreement in %s', (_, one, other) => {
    expect(score(one, other)).toBeLessThan(0.4)
  })

  it.each([
    ['two spellings', 'I recommend PostgreSQL because of joins.', 'Postgres is my choice.'],
    ['a double negation', 'Do not drop the ferry from the timetable.', 'Keep the ferry on the timetable.'],
    ['the same number', 'Set the limit to one thousand.', 'I would set it at 1k.'],
    ['the same after a detour', 'I first wanted a tunnel. Build the bridge.', 'The bridge is my choice.'],
  ])('[CV5] hears agreement in %s', (_, one, other) => {
    expect(score(one, other)).toBeGreaterThan(0.6)
  })

  it('[CV5] stays in the middle where nothing can be known', () => {
    expect(score('!!!', '???')).toBe(0.5)
    expect(score('Lovely weather.', 'Quite a crowd today.')).toBe(0.5)
  })

  it('[CV5] takes equal words for equal conclusions', () => {
    expect(score('Redis', 'redis.')).toBe(1)
  })

  it('[CV5] shows what an output concludes', () => {
    expect(conclusionOf('Long story. We should use the ferry. It floats.')).toBe('We should use the ferry.')
    expect(conclusionOf('so \\boxed{12 eggs}')).toBe('12 eggs')
    expect(conclusionOf('')).toBe('')
  })
})
