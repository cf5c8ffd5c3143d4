import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyRule } from '../schema/rule.ts'
import { modes } from './mode.ts'
import { type Dimension, dimensions, questionBank, questionsFor, rubric } from './question-bank.ts'
import { defaultSpecifyLimits, rule, type SpecifyVerdict, specify, specifyProgress } from './specify.ts'

const scored = (value: number, scope: number, acceptance: number, constraints: number, risk: number) => ({
  value,
  scope,
  acceptance,
  constraints,
  risk,
})

const decide = (input: unknown): SpecifyVerdict => {
  const ruling = applyRule(rule, input)
  if (!ruling.ok) throw new Error(ruling.error.message)
  return ruling.output
}

const anyScores = fc.record(
  Object.fromEntries(dimensions.map((dimension) => [dimension, fc.nat(2)])) as Record<Dimension, fc.Arbitrary<number>>,
)

describe('gate', () => {
  it('[SG2] the HIGH open questions of the agents come before those of the bank', () => {
    const scores = { value: 2, scope: 0, acceptance: 2, constraints: 2, risk: 1 }
    const { questions } = specify(scores, { iteration: 1, open: ['Which region?'] })
    expect(questions[0]).toBe('Which region?')
    expect(questions).toHaveLength(4)
    expect(specify({ ...scores, scope: 2 }, { iteration: 1, open: ['Which region?'] }).questions).toEqual([])
  })

  it('[SG1] eight of ten passes, seven does not', () => {
    expect(decide({ scores: scored(2, 2, 2, 2, 0), iteration: 1 })).toEqual({
      score: 8,
      passed: true,
      proceed: true,
      questions: [],
      flags: [],
    })
    expect(decide({ scores: scored(2, 2, 2, 1, 0), iteration: 1 })).toMatchObject({
      score: 7,
      passed: false,
      proceed: false,
    })
  })

  it('[SG1] every dimension has a rubric for 0, 1 and 2', () => {
    for (const dimension of dimensions) expect(new Set(rubric[dimension]).size).toBe(3)
  })

  it('[SG1] scores are whole numbers from 0 to 2, all five of them', () => {
    const refused = (scores: object) => {
      const ruling = applyRule(rule, { scores, iteration: 1 })
      return ruling.ok ? undefined : ruling.error.path
    }
    expect(refused(scored(3, 0, 0, 0, 0))).toBe('scores.value')
    expect(refused(scored(0, 0, 0, 0, -1))).toBe('scores.risk')
    expect(refused(scored(0, 1.5, 0, 0, 0))).toBe('scores.scope')
    expect(refused({ value: 1 })).toBe('scores.scope')
    expect(applyRule(rule, { scores: scored(1, 1, 1, 1, 1), iteration: 0 })).toMatchObject({
      error: { path: 'iteration' },
    })
    expect(applyRule(rule, { scores: scored(1, 1, 1, 1, 1) })).toMatchObject({ error: { path: 'iteration' } })
  })
})

describe('questions', () => {
  it('[SG2] ask about the weakest dimension, ties in the order of the rulebook', () => {
    expect(decide({ scores: scored(2, 1, 2, 0, 1), iteration: 1 }).weakest).toBe('constraints')
    expect(decide({ scores: scored(1, 1, 1, 1, 1), iteration: 1 }).weakest).toBe('value')
    expect(decide({ scores: scored(2, 2, 0, 2, 0), iteration: 1 }).weakest).toBe('acceptance')
  })

  it('[SG2] are three for a missing dimension and two for a partial one, from its own bank', () => {
    expect(decide({ scores: scored(2, 0, 2, 1, 1), iteration: 1 }).questions).toHaveLength(3)
    expect(decide({ scores: scored(1, 1, 1, 1, 1), iteration: 1 }).questions).toEqual(questionBank.value.slice(0, 2))
  })

  it('[SG2] do not start with the same ones in the next round', () => {
    expect(questionsFor('value', 1, 2)[0]).toBe(questionBank.value[2])
  })

  it("[SG2] are put in the project's own terms where the scorer has some", () => {
    const own = {
      scope: ['Does `parse` keep its two arguments?', 'May `src/read.js` change?', 'x y z w?', 'a fourth?'],
    }
    const verdict = specify(scored(2, 0, 2, 1, 1), { iteration: 1, own })
    expect(verdict.questions).toEqual(own.scope.slice(0, 3))
    const others = scored(2, 2, 1, 1, 1)
    expect(specify(others, { iteration: 1, own }).questions).toEqual(decide({ scores: others, iteration: 1 }).questions)
  })

  it('[SG2] of equally weak dimensions are about the one that research left open, then about acceptance', () => {
    const scores = scored(1, 1, 1, 1, 2)
    const own = {
      value: ['Which backend must you match?', 'Who asked for it?'],
      scope: ['Which formats come first?', 'What stays out?'],
      constraints: ['Must a repeated key in a format that overwrites today keep its value?', 'Which browsers?'],
      acceptance: ['What shows that it works?', 'Which result is wrong?'],
    }
    const about = (matters?: string[], reasons = {}) =>
      specify(scores, { iteration: 1, own, reasons, ...(matters ? { matters } : {}) })
    expect(about().weakest).toBe('value')
    expect(about([])).toMatchObject({ weakest: 'acceptance', questions: own.acceptance })
    const matter = 'In formats that overwrite a repeated key today, should keep all collect the values?'
    expect(about([matter])).toMatchObject({ weakest: 'constraints', questions: own.constraints })
    const reasons = {
      scope: 'Formats that overwrite a repeated key today: keep or collect the values?',
    }
    expect(about([matter], reasons)).toMatchObject({ weakest: 'scope', questions: own.scope })
    expect(specify({ ...scores, risk: 0 }, { iteration: 1, own, matters: [matter] }).weakest).toBe('risk')
  })

  it("[SG2] in the project's own terms come before general ones of an equally weak dimension", () => {
    const own = { constraints: ['May existing snapshots change?'], risk: ['What does a number key do when disabled?'] }
    const scores = scored(1, 2, 2, 1, 1)
    const verdict = specify(scores, { iteration: 1, own })
    expect(verdict).toMatchObject({ weakest: 'value', about: 'constraints' })
    expect(verdict.questions).toEqual([...own.constraints, ...own.risk])
    // What was asked before is not new, and what is missing altogether comes first.
    const later = specify(scores, { iteration: 2, own, asked: own.constraints })
    expect(later.questions).toEqual([...own.risk, questionBank.value[0]])
    expect(specify({ ...scores, value: 0 }, { iteration: 1, own }).questions).toEqual(questionBank.value)
  })

  it('[SG2] are never asked twice: the next weakest dimension follows, and in the end the plan goes on', () => {
    const scores = scored(1, 0, 2, 2, 1)
    const asked: string[] = []
    for (let iteration = 1; iteration <= 4; iteration++) {
      const { questions, proceed } = specify(
        scores,
        { iteration, asked },
        { ...defaultSpecifyLimits, max_iterations: 9 },
      )
      expect(proceed).toBe(false)
      expect(questions.filter((one) => asked.includes(one))).toEqual([])
      asked.push(...questions)
    }
    expect(asked).toHaveLength(9)
    const last = specify(scores, { iteration: 5, asked }, { ...defaultSpecifyLimits, max_iterations: 9 })
    expect(last).toMatchObject({ proceed: true, questions: [], flags: ['specify_not_passed'] })
  })

  it('[SG2] have their placeholders filled from research, else with a sensible default', () => {
    const input = { scores: scored(2, 2, 0, 1, 1), iteration: 1 }
    const plain = decide(input).questions
    const filled = decide({
      ...input,
      research: { edge_case: 'a user\nwith no e-mail', error_condition: '$&' },
    }).questions
    expect(plain.join()).not.toMatch(/[{}]|undefined/)
    expect(filled[1]).toContain('a user with no e-mail')
    expect(filled[2]).toContain('$&')
    expect(filled[0]).toBe(plain[0])
  })

  it('[SG2] are never more than three, never fewer than two, and never asked after the gate', () => {
    fc.assert(
      fc.property(anyScores, fc.integer({ min: 1, max: 9 }), (scores, iteration) => {
        const { proceed, questions } = decide({ scores, iteration })
        if (proceed) expect(questions).toEqual([])
        else expect([2, 3]).toContain(questions.length)
        expect(new Set(questions).size).toBe(questions.length)
      }),
    )
  })
})

describe('rounds', () => {
  it('[SG2] continues with a warning after three rounds of questions', () => {
    const scores = scored(2, 2, 1, 1, 1)
    expect(decide({ scores, iteration: 3 })).toMatchObject({ proceed: false, flags: [] })
    expect(decide({ scores, iteration: 4 })).toEqual({
      score: 7,
      passed: false,
      proceed: true,
      weakest: 'acceptance',
      questions: [],
      flags: ['specify_not_passed'],
    })
  })

  it('[SG2] below 6 then, low_specify_score is flagged; at 6 it is not; before, it never is', () => {
    expect(decide({ scores: scored(1, 1, 1, 1, 1), iteration: 4 }).flags).toEqual([
      'specify_not_passed',
      'low_specify_score',
    ])
    expect(decide({ scores: scored(2, 1, 1, 1, 1), iteration: 4 }).flags).not.toContain('low_specify_score')
    expect(decide({ scores: scored(0, 0, 0, 0, 0), iteration: 3 }).flags).toEqual([])
  })

  it('[SG2] always continues by the fourth scoring, whatever the scores', () => {
    fc.assert(
      fc.property(
        anyScores,
        fc.integer({ min: 4, max: 1_000 }),
        fc.constantFrom(...modes),
        (scores, iteration, mode) => {
          expect(decide({ scores, iteration, mode }).proceed).toBe(true)
        },
      ),
    )
  })

  it('[SG2] reports progress in one line', () => {
    expect(specifyProgress(scored(2, 0, 1, 1, 1), scored(2, 2, 1, 1, 1))).toBe('scope 0 → 2, now 7/10')
    expect(specifyProgress(scored(0, 0, 0, 0, 0), scored(1, 0, 2, 0, 0))).toBe(
      'value 0 → 1, acceptance 0 → 2, now 3/10',
    )
    expect(specifyProgress(scored(1, 1, 1, 1, 1), scored(1, 1, 1, 1, 1))).toBe('no change, still 5/10')
  })

  it('[SG2] limits move the gate', () => {
    const scores = scored(1, 1, 1, 1, 1)
    expect(decide({ scores, iteration: 1, limits: { threshold: 5 } }).passed).toBe(true)
    expect(decide({ scores, iteration: 2, limits: { max_iterations: 1 } }).proceed).toBe(true)
    expect(applyRule(rule, { scores, iteration: 1, limits: { rounds: 1 } })).toMatchObject({
      error: { path: 'limits' },
    })
  })
})

describe('leniency', () => {
  it('[SG3] degraded research passes at 6', () => {
    const scores = scored(2, 1, 1, 1, 1)
    expect(decide({ scores, iteration: 1 }).passed).toBe(false)
    expect(decide({ scores, iteration: 1, research_degraded: true })).toMatchObject({
      passed: true,
      proceed: true,
      flags: [],
    })
    expect(decide({ scores: scored(1, 1, 1, 1, 1), iteration: 1, research_degraded: true }).passed).toBe(false)
  })

  it('[SG3] rapid mode is informational: it scores, asks nothing and continues', () => {
    expect(decide({ scores: scored(0, 0, 0, 0, 0), iteration: 1, mode: 'rapid' })).toEqual({
      score: 0,
      passed: false,
      proceed: true,
      weakest: 'value',
      questions: [],
      flags: [],
    })
    expect(decide({ scores: scored(0, 0, 0, 0, 0), iteration: 1, mode: 'standard' }).proceed).toBe(false)
  })

  it('[SG3] the explanation says what was relaxed', () => {
    const explain = (input: unknown) => {
      const ruling = applyRule(rule, input)
      return ruling.ok ? ruling.explanation() : ''
    }
    const scores = scored(1, 1, 1, 1, 1)
    expect(explain({ scores, iteration: 1, mode: 'rapid' })).toContain('informational')
    expect(explain({ scores, iteration: 1, research_degraded: true })).toContain('5/10, 6 needed: not passed')
    expect(explain({ scores, iteration: 1 })).toContain(questionBank.value[0])
    expect(explain({ scores, iteration: 4 })).toContain('low_specify_score')
  })
})
