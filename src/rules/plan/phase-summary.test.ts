import { describe, expect, it } from 'vitest'
import { phaseSummarySchema } from './phase-summary.ts'

describe('phase summary', () => {
  it('[PH2] a bare summary is completed with empty fields', () => {
    expect(phaseSummarySchema.parse({ phase: 4, status: 'completed' })).toEqual({
      phase: '4',
      status: 'completed',
      flags: [],
      key_decisions: [],
      open_questions: [],
      risks_identified: [],
      risk_flags: [],
      parallel_pairs_completed: [],
      consensus_skipped: false,
    })
  })

  it('[PH2] keeps every field of the front matter', () => {
    const summary = {
      phase: '3',
      status: 'completed',
      flags: ['low_specify_score'],
      key_decisions: [
        { id: 'DB-001', decision: 'PostgreSQL', confidence: 'HIGH', supersedes: ['DB-000'], resolves: ['OQ-1'] },
      ],
      open_questions: [{ id: 'OQ-2', question: 'Who signs in?', priority: 'LOW', candidates: ['staff'] }],
      risks_identified: [{ id: 'R-1', risk: 'lock-in', severity: 'MAJOR', mitigation: 'an adapter' }],
      mode: 'complete',
      strategy: 'perspectives',
      strategy_override: 'Raised',
      specify_score: 7,
      specify_dimensions: { value: 2, scope: 1 },
      outcome: 'pass_with_risk',
      risk_flags: ['sensitive-data'],
      preset: 'balanced',
      parallel_pairs_completed: [['8', '8b']],
      consensus_skipped: true,
    }
    expect(phaseSummarySchema.parse(summary)).toEqual(summary)
  })

  it('[PH2] reads confidence in any case, a missing one as MEDIUM, and a single link as a list', () => {
    const parsed = phaseSummarySchema.parse({
      phase: '4',
      status: 'completed',
      key_decisions: [
        { id: 'A', decision: 'a', confidence: 'high', supersedes: 'B' },
        { id: 'C', decision: 'c' },
      ],
    })
    expect(parsed.key_decisions).toMatchObject([{ confidence: 'HIGH', supersedes: ['B'] }, { confidence: 'MEDIUM' }])
  })

  it('[PH3] a summary that needs the user must give a reason', () => {
    const blocked = { phase: '4', status: 'needs-user-input' }
    expect(phaseSummarySchema.safeParse(blocked).error?.issues[0]?.path).toEqual(['block_reason'])
    expect(phaseSummarySchema.parse({ ...blocked, block_reason: 'REST or gRPC?' })).toMatchObject(blocked)
  })
})
