import { describe, expect, it } from 'vitest'
import { describeIssues } from './describe-issues.ts'
import { soundIssues } from './issues.ts'

const nothing = { carried: [], open: [], assumptions: [], degraded: [] }
const issue = (number: number, depends_on: number[] = []) => ({
  number,
  title: `Issue ${number}`,
  body: '',
  acceptance_criteria: [{ id: 'works', text: 'it works' }],
  depends_on,
  size: 'small' as const,
  business_value: 0,
  risk: 0,
})
const page = (...planned: ReturnType<typeof issue>[]) =>
  describeIssues(soundIssues(planned, 'demo', { languages: [] }, []).issues, nothing)

describe('the page of issues', () => {
  it('[PH6] has a diagram only where issues depend on each other', () => {
    expect(page(issue(1), issue(2, [1]))).toContain('```mermaid\ngraph TD')
    expect(page(issue(1), issue(2))).not.toContain('mermaid')
    expect(page(issue(1))).not.toContain('mermaid')
  })

  it('[SG2] lists questions that nobody has answered', () => {
    const { issues } = soundIssues([issue(1)], 'demo', { languages: [] }, [])
    expect(describeIssues(issues, { ...nothing, open: ['**Q4-1**: Who reads it?'] })).toContain(
      '## Questions still open\n\n- **Q4-1**: Who reads it?',
    )
  })
})
