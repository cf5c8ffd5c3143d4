import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyRule } from '../schema/rule.ts'
import { areaUnderCurve } from './auc.ts'
import { type FixtureRound, knownRounds, unseenRounds } from './convergence.fixture.ts'
import { convergence, type MeasuredConvergence, rule } from './convergence.ts'

function measured(...outputs: string[]): MeasuredConvergence {
  const result = convergence(outputs)
  if (result.verdict === null) throw new Error(result.skipped)
  return result
}

function decided(value: unknown): MeasuredConvergence {
  const ruling = applyRule(rule, value)
  if (!ruling.ok || ruling.output.verdict === null) throw new Error(JSON.stringify(ruling))
  return ruling.output
}

describe('words of assent and dissent', () => {
  it('[CV1] drops empty outputs before anything is measured', () => {
    expect(measured('same words', ' \n\t', 'same words', '')).toEqual(measured('same words', 'same words'))
  })

  it.each('agree concur confirms aligns supports consistent similarly reinforces validates'.split(' '))(
    '[CV1] counts "%s" as assent',
    (word) => {
      expect(measured(`I ${word.toUpperCase()}!`, 'x').agreement_ratio).toBe(1)
    },
  )

  it.each('disagree however alternatively contradicts unlike conflicts instead opposing challenge reject'.split(' '))(
    '[CV1] counts "%s" as dissent',
    (word) => {
      expect(measured(`And, ${word}, so on`, 'x').agreement_ratio).toBe(0)
    },
  )

  it('[CV1] counts every occurrence, as whole words and phrases only', () => {
    expect(measured('I disagree.', 'x').agreement_ratio).toBe(0)
    expect(measured('agreement, agreed, rejected, instead-of', 'x').agreement_ratio).toBe(0)
    expect(measured('We reach the same\nconclusion.', 'x').agreement_ratio).toBe(1)
    expect(measured('the same thing, one conclusion', 'x').agreement_ratio).toBeNull()
    expect(measured('agree agree however', 'I agree').agreement_ratio).toBe(0.75)
  })

  it('[CV1] reports null where nothing was counted and puts one half into the formula', () => {
    expect(measured('alpha', 'beta')).toMatchObject({ agreement_ratio: null, score: 0.3 })
  })
})

describe('shared words and the score', () => {
  it('[CV2] is the mean overlap of all pairs, without stop words or stemming', () => {
    const { stability } = measured('the cat', 'the dog', 'cats')
    expect(stability).toBeCloseTo((1 / 3 + 0 + 0) / 3, 10)
  })

  it('[CV2] normalises case, width and punctuation', () => {
    expect(measured('Ｆｏｏ-BAR', 'bar, foo').stability).toBe(1)
  })

  it('[CV2] takes two outputs without any word for the same', () => {
    expect(measured('!!!', '???').stability).toBe(1)
    expect(measured('!!!', 'word').stability).toBe(0)
  })

  it('[CV2] adds 0.6 of the assent to 0.4 of the shared words, and rounds to four decimals', () => {
    expect(measured('agree a b', 'agree a c').score).toBe(0.8)
    expect(measured('agree however disagree a b', 'c').score).toBe(0.2)
  })

  it('[CV2] compares the rounded score', () => {
    // 0.6 · 0.5 + 0.4 · 1 must be high, whatever the last bit of the sum is.
    expect(measured('one two', 'two one')).toMatchObject({ score: 0.7, level: 'high' })
  })
})

describe('levels', () => {
  it.each([
    ['agree same', 'agree same', 'high'],
    ['one two three', 'one two four', 'medium'],
    ['alpha', 'beta', 'low'],
  ])('[CV3] %j and %j are %s', (one, other, level) => {
    expect(measured(one, other).level).toBe(level)
  })

  it('[CV3] draws the lines where the limits say', () => {
    const outputs = ['alpha', 'beta']
    expect(decided({ outputs, limits: { threshold_low: 0.3 } }).level).toBe('medium')
    expect(decided({ outputs, limits: { threshold_high: 0.3, threshold_low: 0.1 } }).level).toBe('high')
    expect(decided({ outputs, limits: { agreement_weight: 1, stability_weight: 0 } }).score).toBe(0.5)
    expect(decided({ outputs, limits: { positions_high: 0.5 } }).positions.level).toBe('high')
    expect(decided({ outputs, limits: { positions_low: 0.6 } }).positions.level).toBe('low')
  })
})

describe('nothing to measure', () => {
  const nothing = {
    score: null,
    agreement_ratio: null,
    stability: null,
    level: null,
    positions: { score: null, level: null },
    verdict: null,
  }

  it('[CV4] skips where every output is empty, and is degraded', () => {
    expect(convergence([])).toEqual({ ...nothing, skipped: expect.any(String), degraded: true })
    expect(convergence(['', '  \n'])).toEqual({ ...nothing, skipped: expect.any(String), degraded: true })
  })

  it('[CV4] skips a single output', () => {
    expect(convergence(['alone', ' '])).toEqual({ ...nothing, skipped: expect.any(String), degraded: false })
  })

  it('[CV4] skips even where positions were stated', () => {
    const positions = ['a', 'b'].map((agent) => ({ agent, question: 'q', choice: 'x' }))
    expect(convergence(['alone'], positions).verdict).toBeNull()
  })
})

describe('positions', () => {
  const stated = (...choices: (string | number)[]) =>
    choices.map((choice, index) => ({ agent: `agent ${index}`, question: 'which', choice }))

  it('[CV5] uses stated positions as they are, whatever the outputs say', () => {
    const outputs = ['Use Redis.', 'Do not use Redis.']
    expect(decided({ outputs }).positions.level).toBe('low')
    expect(decided({ outputs, positions: stated('Redis', 'redis') }).positions).toEqual({ score: 1, level: 'high' })
    expect(decided({ outputs: ['Redis', 'Redis'], positions: stated('Redis', 'Memcached') }).positions).toEqual({
      score: 0,
      level: 'low',
    })
  })

  it('[CV5] takes a number for a choice', () => {
    expect(decided({ outputs: ['a', 'b'], positions: stated(52, '52 WPM') }).positions.score).toBe(1)
  })

  it('[CV5] reads the outputs where the stated positions cannot be compared', () => {
    const outputs = ['Use Redis.', 'Use Redis.']
    expect(decided({ outputs, positions: stated('x').slice(0, 1) }).positions.score).toBe(
      decided({ outputs }).positions.score,
    )
  })

  it('[CV5] gives the level of the positions as verdict where the measures are at most one level apart', () => {
    expect(decided({ outputs: ['one two three', 'one two four'], positions: stated('x', 'y') })).toMatchObject({
      level: 'medium',
      verdict: 'low',
    })
    expect(decided({ outputs: ['same', 'same'], positions: stated('x', 'x') })).toMatchObject({
      level: 'high',
      verdict: 'high',
    })
  })

  it('[CV5] calls it ambiguous where one measure is high and the other low', () => {
    expect(decided({ outputs: ['same', 'same'], positions: stated('x', 'y') })).toMatchObject({
      level: 'high',
      verdict: 'ambiguous',
    })
    expect(decided({ outputs: ['alpha', 'beta'], positions: stated('x', 'x') })).toMatchObject({
      level: 'low',
      verdict: 'ambiguous',
    })
  })

  it('[CV5] weighs confidence where the limits ask for it', () => {
    const positions = [...stated('x', 'x'), { agent: 'c', question: 'which', choice: 'y', confidence: 0.1 }]
    const outputs = ['a', 'b', 'c']
    const weighed = decided({ outputs, positions, limits: { weigh_confidence: true } })
    expect(weighed.positions.score).toBeGreaterThan(decided({ outputs, positions }).positions.score)
  })

  const area = (rounds: FixtureRound[], score: (result: MeasuredConvergence) => number) =>
    areaUnderCurve(rounds.map(({ outputs, agree }) => ({ score: score(measured(...outputs)), positive: agree })))!

  it('[CV5] tells agreement from disagreement in prose, where shared words are little better than a coin toss', () => {
    expect(area(knownRounds, (result) => result.positions.score)).toBeGreaterThan(0.93)
    expect(area(unseenRounds, (result) => result.positions.score)).toBeGreaterThan(0.88)
    expect(area([...knownRounds, ...unseenRounds], (result) => result.score)).toBeLessThan(0.7)
  })

  it('[CV5] means what its levels say', () => {
    const levels = Map.groupBy([...knownRounds, ...unseenRounds], ({ outputs }) => measured(...outputs).positions.level)
    const agreeing = (level: 'high' | 'low') =>
      levels.get(level)!.filter(({ agree }) => agree).length / levels.get(level)!.length
    expect(levels.get('high')!.length).toBeGreaterThan(15)
    expect(levels.get('low')!.length).toBeGreaterThan(25)
    expect(agreeing('high')).toBeGreaterThan(0.95)
    expect(agreeing('low')).toBeLessThan(0.1)
  })

  it('[CV5] does not depend on the order of the agents', () => {
    for (const { outputs } of knownRounds) {
      const [forward, backward] = [measured(...outputs), measured(...[...outputs].reverse())]
      expect(backward.positions.score).toBeCloseTo(forward.positions.score, 3)
      expect(backward.score).toBe(forward.score)
    }
  })
})

describe('input', () => {
  it('[CV1] says what is wrong, and where', () => {
    expect(applyRule(rule, {})).toMatchObject({ ok: false, error: { path: 'outputs' } })
    expect(applyRule(rule, { outputs: ['a', 5] })).toMatchObject({
      ok: false,
      error: { path: 'outputs.1', expected: 'string' },
    })
    expect(applyRule(rule, { outputs: [], positions: [{ agent: 'a', question: 'q' }] })).toMatchObject({
      ok: false,
      error: { path: 'positions.0.choice' },
    })
    expect(
      applyRule(rule, { outputs: [], positions: [{ agent: 'a', question: 'q', choice: 'x', confidence: Number.NaN }] }),
    ).toMatchObject({ ok: false })
  })

  it('[CV3] refuses limits it does not know, and ignores other keys', () => {
    expect(applyRule(rule, { outputs: ['a', 'b'], limits: { treshold_high: 1 } })).toMatchObject({
      ok: false,
      error: { path: 'limits' },
    })
    expect(applyRule(rule, { outputs: ['a', 'b'], round: 2 })).toMatchObject({ ok: true })
  })

  it('[CV5] decides and explains whatever it accepts', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom(
        '__proto__',
        'constructor',
        '\ud800',
        '\\boxed{',
        '```',
        '| |',
        '# ',
        '**',
        '1e999',
        '(A)',
        'yes, no, not',
        '\ufdfa',
      ),
      fc
        .array(
          fc.constantFrom(
            'not',
            'I would',
            'or',
            'keep',
            'Redis',
            ':',
            ',',
            '.',
            '\n',
            '- ',
            '2',
            'it',
            'than',
            'from',
            'to',
          ),
          { maxLength: 30 },
        )
        .map((parts) => parts.join(' ')),
    )
    const position = fc.record({
      agent: text,
      question: text,
      choice: text,
      confidence: fc.double({ noNaN: true, noDefaultInfinity: true }),
    })
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), fc.array(position, { maxLength: 5 }), (outputs, positions) => {
        const ruling = applyRule(rule, { outputs, positions })
        expect(ruling.ok).toBe(true)
        if (!ruling.ok) return
        expect(ruling.explanation()).toMatch(/\[CV\d\]/)
        const { score, stability, positions: conclusions, verdict } = ruling.output
        for (const share of verdict === null ? [] : [score, stability, conclusions.score]) {
          expect(share).toBeGreaterThanOrEqual(0)
          expect(share).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['one endless word', 'a'],
    ['dots', '.'],
    ['open boxes', '\\boxed{'],
    ['open braces', '{'],
    ['bold marks', '**a '],
    ['agreement without end', 'yes, '],
    ['alternatives without end', 'can or '],
    ['fences', '```\n'],
    ['table bars', '|'],
    ['lone surrogates', '\ud800'],
    ['characters that expand', '\ufdfa'],
    ['digits', '1,'],
  ])('[CV5] gets through 300,000 characters of %s', (_, unit) => {
    const wall = unit.repeat(Math.ceil(300_000 / unit.length))
    expect(decided({ outputs: [wall, `${wall} x`] }).positions.score).toBeGreaterThanOrEqual(0)
  })
})

describe('explanation', () => {
  const explain = (value: unknown) => {
    const ruling = applyRule(rule, value)
    if (!ruling.ok) throw new Error(ruling.error.message)
    return ruling.explanation()
  }

  it('[CV3] gives the figures, what follows from them, and what each output concludes', () => {
    const text = explain({ outputs: ['I agree. Use Redis.', '', 'I agree. We should use Redis.'] })
    expect(text).toMatch(/^HIGH: .*\[CV3\]/)
    expect(text).toContain('1 empty output left out [CV1]')
    expect(text).toMatch(/assent 1\.00 \[CV1\], shared words 0\.67 \[CV2\]/)
    expect(text).toContain('2. We should use Redis.')
  })

  it('[CV6] shows the votes beside the result, and who took no position', () => {
    const positions = [
      { agent: 'ada', question: 'Cache?', choice: 'Redis' },
      { agent: 'bob', question: 'Cache?', choice: 'Memcached' },
      { agent: 'cyd', question: 'Region?', choice: 'eu' },
    ]
    const text = explain({ outputs: ['alpha', 'beta'], positions })
    expect(text).toContain('1 × Redis: ada')
    expect(text).toContain('1 × Memcached: bob')
    expect(text).toContain('no position: cyd')
  })

  it('[CV4] says why nothing was measured', () => {
    expect(explain({ outputs: ['', ''] })).toBe('SKIPPED: every output is empty, degraded [CV4]')
  })

  it('[CV5] lets no agent write control characters or extra lines', () => {
    const text = explain({ outputs: ['We should \u001b[31muse\nRedis.', 'x'] })
    expect(text).not.toContain('\u001b')
  })
})
