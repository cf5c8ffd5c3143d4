import { describe, expect, it } from 'vitest'
import { withStates } from './question-states.ts'

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
