import { describe, expect, it } from 'vitest'
import { withDecisionStates, withSettledRisks, withStates, withUnknowns } from './renew-documents.ts'

const question = (id: string) => ({ id, question: `What about ${id}?`, priority: 'MEDIUM' as const })
const page =
  '# Research\n\n## Findings\n\nFacts.\n\n## Open questions\n\n- **Q2-1** (MEDIUM): What about Q2-1?\n- **Q2-2** (MEDIUM): What about Q2-2?\n\n_3 of 3 answered._'
const answeredBy = {
  phase: '4' as const,
  decision: { id: 'D4-2', decision: 'One commit', confidence: 'HIGH' as const },
}

describe('the questions in a document', () => {
  it('[PH6] an answered one moves and names its decision; it is open again if the decision is withdrawn', () => {
    const one = withStates(page, [{ question: question('Q2-1') }, { question: question('Q2-2'), answeredBy }])
    expect(one).toContain('## Open questions\n\n- **Q2-1** (MEDIUM): What about Q2-1?')
    expect(one).not.toContain('- **Q2-2** (MEDIUM)')
    expect(one).toContain('## Questions answered since\n\n- **Q2-2**: What about Q2-2? → **D4-2**: One commit')
    const all = [question('Q2-1'), question('Q2-2')].map((one) => ({ question: one, answeredBy }))
    const none = withStates(one, all)
    expect(none).not.toContain('## Open questions')
    expect(none).toContain('_3 of 3 answered._')
    const again = withStates(none, [{ question: question('Q2-1') }, { question: question('Q2-2') }])
    expect(again).toContain('- **Q2-2** (MEDIUM): What about Q2-2?')
    expect(again).not.toContain('answered since')
    expect(withStates(again, [{ question: question('Q2-1') }, { question: question('Q2-2') }])).toBe(again)
  })
})

describe('what a document calls unknown or a risk', () => {
  it('[PH6] says what is answered since, and no more if that is withdrawn', () => {
    const told = '# Research\n\n## Unknown\n- What it costs.\n\n## Agreement\n\nHigh.'
    const states = [
      { question: question('Q2-1'), answeredBy },
      { question: question('Q2-2'), left: true as const },
      { question: question('Q2-3') },
    ]
    const noted = withUnknowns(told, states)
    expect(noted).toContain(
      '- What it costs.\n\n_Answered since: Q2-1 (D4-2), Q2-2 (left to the team)._\n\n## Agreement',
    )
    expect(withUnknowns(noted, states)).toBe(noted)
    expect(withUnknowns(noted, [])).toBe(told)
    expect(withUnknowns('# Design', states)).toBe('# Design')
  })

  it('[PH6] names the decision that removes a risk', () => {
    const told = '## Risks\n\n- **R2-1** (MAJOR): A cut loses data.\n- **R2-2** (MINOR): Slow.'
    const noted = withSettledRisks(told, new Map([['R2-1', answeredBy]]))
    expect(noted).toContain('- **R2-1** (MAJOR): A cut loses data. _Settled by D4-2._\n- **R2-2** (MINOR): Slow.')
    expect(withSettledRisks(noted, new Map([['R2-1', answeredBy]]))).toBe(noted)
    expect(withSettledRisks(noted, new Map())).toBe(told)
  })
})

describe('the decisions in a document', () => {
  const decision = (id: string, words: string) => ({ id, decision: words, confidence: 'HIGH' as const })
  const [whole, cached] = [decision('D4-1', 'Files are read whole'), decision('D4-2', 'No cache')]
  const streamed = decision('D6b-1', 'Files are streamed')
  const line = ({ id, decision }: typeof whole) => `**${id}** (HIGH): ${decision}`
  const design = `# Design\n\n## Approach\n\nRead.\n\n## Decisions\n\n- ${line(whole)}\n- ${line(cached)}\n\n## Risks\n\n- **R4-1** (MINOR): x`
  const states = [whole, cached].map((one) => ({ decision: one, line: line(one) }))

  it('[CX2] a replaced one is struck and names its successor; it is back if the successor is withdrawn', () => {
    const struck = withDecisionStates(design, [{ ...states[0]!, replacedBy: streamed }, states[1]!])
    expect(struck).not.toContain('read whole')
    expect(struck).toContain(
      '## Decisions\n\n- **D4-2** (HIGH): No cache\n\n## Decisions replaced since\n\n- **D4-1** → **D6b-1**: Files are streamed\n\n## Risks',
    )
    expect(withDecisionStates(struck, [{ ...states[0]!, replacedBy: streamed }, states[1]!])).toBe(struck)
    expect(withDecisionStates(struck, states)).toBe(design)
    expect(withDecisionStates(design, states)).toBe(design)
  })

  it('[CX2] no empty list of decisions is left', () => {
    const all = states.map((one) => ({ ...one, replacedBy: streamed }))
    expect(withDecisionStates(design, all)).not.toContain('## Decisions\n')
  })
})
