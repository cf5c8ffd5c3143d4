import { describe, expect, it } from 'vitest'
import { pointsForPerson } from './amendment.ts'
import { settledBefore, settledLine, settledMatters } from './settled-matters.ts'
import { explainIds } from './words/explained-ids.ts'
import { settlesNothing } from './words/no-decision.ts'
import { personsSentence } from './words/persons-decision.ts'

const settled = settledMatters(
  [
    { question: 'The agents disagree on: Shared helper?', about: 'Should the boundary check be shared?' },
    { question: 'What should withFragment do?', answer: 'keep the input' },
  ],
  [
    { id: 'D2-1', decision: 'Streams everywhere', confidence: 'HIGH' },
    { id: 'D2-2', decision: 'No cache', confidence: 'MEDIUM' },
    { id: 'P2-1', decision: 'Keep the input', confidence: 'HIGH' },
  ],
)

describe('[CV7] a matter that is settled', () => {
  it('[CV7] is what the person decided or left to the agents, and HIGH decisions', () => {
    expect(settled.map(settledLine)).toEqual([
      's1: Should the boundary check be shared? → the person left it to the agents',
      's2: What should withFragment do? → keep the input',
      's3: D2-1, decided: Streams everywhere',
    ])
  })

  it('[CV7] answers a question that names it, in whatever words, or that says the same', () => {
    const other = { question: 'Helper or two comparisons?' }
    expect(settledBefore(other, settled)).toBeUndefined()
    expect(settledBefore({ ...other, settledBy: 's1' }, settled)).toMatchObject({ id: 's1' })
    expect(settledBefore({ question: 'Should a boundary check be shared?' }, settled)).toMatchObject({ id: 's1' })
  })
})

describe('[RV4] a point that only the person can settle', () => {
  const option = (choice: string) => ({ choice, follows: 'more', decision: `It is ${choice}`, held_by: ['reviewer'] })
  const question = { text: 'Is removal wanted again?', options: [option('yes'), option('no')] }
  const point = (id: string, places?: string[]) => ({
    point: {
      id,
      by: 'reviewer',
      text: 'Removed on purpose',
      severity: 'MAJOR' as const,
      ...(places ? { places } : {}),
    },
    why: 'for the person to say',
  })
  const reply = (...asked: (typeof question)[]) => ({
    points: asked.map((one, index) => ({ id: `a${index + 1}`, settled: false, how: '', question: one })),
    documents: [],
  })

  it('[RV4] is asked, two points with one matter together', () => {
    const again = { ...question, text: 'Is removal wanted again, or not?' }
    const found = pointsForPerson(reply(question, again), [point('a1'), point('a2')], settled)
    expect(found).toMatchObject([{ question, points: [{ id: 'a1' }, { id: 'a2' }] }])
  })

  it('[RV4] is not asked without two options, after the person has spoken on it, or as a side of a contradiction', () => {
    const single = { ...question, options: [option('yes'), option('Yes')] }
    expect(pointsForPerson(reply(single), [point('a1')], [])).toEqual([])
    const spoken = { ...question, text: 'What should withFragment do?' }
    expect(pointsForPerson(reply(spoken), [point('a1')], settled)).toEqual([])
    expect(pointsForPerson(reply(question), [point('a1', ['design.md'])], [])).toEqual([])
    expect(pointsForPerson(null, [point('a1')], [])).toEqual([])
  })
})

describe('[PH3] an id in a question', () => {
  it('[PH3] is explained at its first mention', () => {
    const summaries = [
      {
        key_decisions: [{ id: 'D2-2', decision: 'No helper', confidence: 'HIGH' as const }],
        open_questions: [],
        risks_identified: [{ id: 'R6b-1', risk: 'It drifts', severity: 'MAJOR' }],
      },
    ]
    expect(explainIds('against D2-2, as D2-2 says; R6b-1; D9-9', summaries)).toBe(
      'against D2-2 (“No helper”), as D2-2 says; R6b-1 (“It drifts”); D9-9',
    )
  })
})

describe("[CX2] a person's answer", () => {
  it('[CX2] reads as a sentence', () => {
    const asked = { question: 'The agents disagree on: How large?', about: 'How large?', answer: 'small' }
    expect(personsSentence({ ...asked, sentence: 'Files stay  small.' })).toBe('Files stay small.')
    expect(personsSentence(asked)).toBe('How large: small')
    const rule = 'Rows without a date are skipped. They are rare.'
    expect(personsSentence({ ...asked, answer: rule })).toBe(rule)
    expect(personsSentence({ ...asked, answer: 'It stays as small as it is today' })).toMatch(/^How large: It stays/)
  })

  it('[CX2] stands behind its question without the options that this offers, and keeps its lines', () => {
    const question =
      'When a query has more parameters than the limit, should parsing throw an error, or parse the first parameters and ignore the rest?'
    expect(personsSentence({ question, answer: 'Throw. A cut would lose parameters.' })).toBe(
      'When a query has more parameters than the limit: Throw. A cut would lose parameters.',
    )
    expect(personsSentence({ question: 'Which rows?', answer: 'only totals:\n- per month' })).toBe(
      'Which rows:\nonly totals:\n- per month',
    )
  })

  it.each([
    '',
    'None in particular',
    'None in particular. We are a library: callers pick the rule that their backend has.',
    'no preference',
    'No particular preference.',
    'egal',
    'Das ist mir egal',
    'as you like',
    'whatever you think is best',
    "I don't know",
    "It doesn't matter, really",
    'either is fine',
    'up to you',
    'Peu importe',
    'n/a',
  ])('[CX2] settles nothing: %s', (answer) => {
    expect(settlesNothing(answer)).toBe(true)
  })

  it.each([
    'none',
    'No',
    'any',
    'both',
    'nothing',
    'egal, aber nicht langsamer',
    'None in particular, but keep the order',
    'No preference: only UTF-8 must work',
    'None of them in the first version',
    'Whatever the server sends is shown',
    'as you like it today, with a header',
  ])('[CX2] decides: %s', (answer) => {
    expect(settlesNothing(answer)).toBe(false)
  })
})
