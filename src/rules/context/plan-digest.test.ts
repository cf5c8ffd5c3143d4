import { describe, expect, it } from 'vitest'
import type { KeyDecision } from '../plan/phase-summary.ts'
import type { PhaseId } from '../plan/phase-table.ts'
import { accumulate } from './context.ts'
import { planDigest, questionStates, settledRisks } from './plan-digest.ts'

const decision = (id: string, more: Partial<KeyDecision> = {}): KeyDecision => ({
  id,
  decision: `what ${id} says`,
  confidence: 'MEDIUM',
  ...more,
})
const source = (phase: PhaseId, key_decisions: KeyDecision[], more = {}) => ({
  phase,
  key_decisions,
  open_questions: [],
  risks_identified: [],
  ...more,
})
const research = source('2', [decision('D2-1'), decision('P2-1', { confidence: 'HIGH' })], {
  open_questions: [
    { id: 'Q2-1', question: 'Patch or minor?', priority: 'MEDIUM' },
    { id: 'Q2-2', question: 'One commit?', priority: 'HIGH' },
    { id: 'Q2-3', question: 'Which colour?', priority: 'LOW' },
  ],
  risks_identified: [
    { id: 'R2-1', risk: 'Callers break', severity: 'MAJOR' },
    { id: 'R2-2', risk: 'A typo', severity: 'MINOR' },
  ],
})
const design = source('4', [decision('D4-1', { supersedes: ['D2-1'] }), decision('D4-2', { resolves: ['Q2-2'] })])
const review = source('6b', [], { risks_identified: [{ id: 'R6b-1', risk: 'Reverted', severity: 'HIGH' }] })

describe('[PH6] the plan in short', () => {
  it('[PH6] has what stands of all phases: decisions, answers, grave risks, open questions', () => {
    const { decisions, answers, risks, minorRisks, open } = planDigest([research, design, review])
    expect(decisions.map(({ decision: { id } }) => id)).toEqual(['D4-1', 'D4-2'])
    expect(answers.map(({ decision: { id } }) => id)).toEqual(['P2-1'])
    expect(risks.map(({ phase, risk: { id } }) => [phase, id])).toEqual([
      ['2', 'R2-1'],
      ['6b', 'R6b-1'],
    ])
    expect(minorRisks).toBe(1)
    expect(open.map(({ question: { id } }) => id)).toEqual(['Q2-1'])
  })

  it('[PH6] says each answer and each decision once, under the ids of all who said it', () => {
    const said = decision('P2-2', { decision: 'Rows are streamed', confidence: 'HIGH' })
    const again = decision('D4-3', { decision: 'Rows are streamed.' })
    const twice = ['D4-4', 'D7-1'].map((id) => decision(id, { decision: 'No cache' }))
    const { decisions, answers } = planDigest([source('2', [said]), source('4', [again, ...twice])])
    expect(answers).toMatchObject([{ decision: { id: 'P2-2' }, also: ['D4-3'] }])
    expect(decisions.map(({ decision: { id } }) => id)).toEqual(['D4-4, D7-1'])
  })

  it('[PH6] a question is open only while no decision in force resolves it', () => {
    const states = (sources: Parameters<typeof questionStates>[1]) =>
      questionStates(research.open_questions, sources).map(({ answeredBy }) => answeredBy?.decision.id)
    expect(states([research, design])).toEqual([undefined, 'D4-2', undefined])
    expect(states([research])).toEqual([undefined, undefined, undefined])
  })

  it('[CX2] a risk that a decision resolves is carried no more, until a later phase raises it again', () => {
    const settled = source('3', [decision('P3-1', { resolves: ['R2-1'], confidence: 'HIGH' })])
    const idsOf = (...sources: Parameters<typeof planDigest>[0]) =>
      planDigest(sources).carried.map(({ risk: { id } }) => id)
    expect(idsOf(research)).toEqual(['R2-1', 'R2-2'])
    expect(idsOf(research, settled)).toEqual(['R2-2'])
    expect(accumulate([research, settled], (text) => text.length / 4).text).not.toContain('Callers break')
    const again = source('6b', [], {
      risks_identified: [{ id: 'R2-1', risk: 'Callers still break', severity: 'MAJOR' }],
    })
    expect(idsOf(research, settled, again)).toEqual(['R2-1', 'R2-2'])
    const risks = [{ id: 'R2-1', risk: 'Callers break', severity: 'MAJOR' }]
    expect([...settledRisks(risks, [research, settled])].map(([id, { decision }]) => [id, decision.id])).toEqual([
      ['R2-1', 'P3-1'],
    ])
  })

  it("[CX2] a person's answer closes every question on its matter; one that settles nothing is no decision", () => {
    const asked = [
      {
        id: 'Q2-2',
        question:
          'In array formats that overwrite a repeated plain key today (all but none), should keep all collect the values into an array?',
        priority: 'MEDIUM' as const,
      },
    ]
    const found = source('2', [], { open_questions: asked })
    const question = 'In array formats that overwrite a repeated plain key today, what should the rule keep all do?'
    const said = source('4', [decision('P4-1', { question, answer: 'Collect them', confidence: 'HIGH' })])
    expect(planDigest([found, said]).open).toEqual([])
    expect(questionStates(asked, [found, said])).toMatchObject([{ answeredBy: { decision: { id: 'P4-1' } } }])
    const left = source('4', [], { closed_questions: [{ question, answer: 'egal' }] })
    expect(planDigest([found, left])).toMatchObject({ open: [], answers: [] })
    expect(questionStates(asked, [found, left])).toEqual([{ question: asked[0], left: true }])
  })
})
