/** What review and comparison find is repaired once, or carried on where everybody sees it. RV4, RV5. */
import { describe, expect, it } from 'vitest'
import { amends, asksOf, compared, contradiction, design, found, major, repaired, streamed } from './amend-lines.ts'
import { type Line, part, startPlan } from './project.ts'

describe('what the review of a design finds', () => {
  it('[RV4] goes to one amend pass of the architect; documents, summaries and decisions stay true', async () => {
    const plan = await startPlan({
      lines: [design, found('Memory runs out', 'Rows may be endless'), amends('6b', streamed)],
    })
    expect((await plan.settled()).status).toBe('done')
    const [asked, ...others] = asksOf(plan, 'an amendment')
    expect(others).toEqual([])
    expect(asked!.prompt).toContain('You are software-architect-pragmatic:')
    expect(asked!.prompt).toContain('- a1 (MAJOR, security-analyst): Memory runs out')

    const page = plan.files.read('design.md')
    expect(page).toContain('## Approach\n\nStream the file line by line.\n\n## Components\n\nA reader.')
    expect(page).not.toContain('Read the whole file')
    expect(page).toMatch(/\*\*D4-1\*\* \(HIGH\): Files are read whole.* _Replaced by \*\*D6b-1\*\*\._/)
    expect(page).toContain('## Amendments of phase 6b\n\n- Memory runs out (security-analyst) → lines are streamed')
    expect(plan.files.read('plan.md')).toContain('# Plan\n\nFiles are streamed line by line.')
    expect(plan.files.read('plan.md')).toContain('_Replaced by **D6b-1**._')
    expect(plan.files.summary('4').flags).toContain('amended')
    expect(plan.files.read('.phase-summaries/phase-4-summary.md')).toContain('\nFiles are streamed line by line.')

    const review = plan.files.summary('6b')
    expect(review.key_decisions).toMatchObject([{ id: 'D6b-1', called: 'MINE-7', supersedes: ['D4-1'] }])
    expect(review.risks_identified).toMatchObject([
      { id: 'R6b-1', risk: 'Rows may be endless (security-analyst)', severity: 'MAJOR' },
    ])
    expect(plan.files.read('review.md')).toContain('**D6b-1** (HIGH, instead of D4-1 “Files are read whole”)')

    const [last] = asksOf(plan, 'issues')
    for (const words of ['lines are streamed', 'Rows may be endless', 'Stream the file line by line.'])
      expect([words, last!.system.split(words).length - 1]).toEqual([words, 1])
    const later = plan.of('7')[0]!.system
    expect(later).toContain('Stream the file line by line.')
    expect(later).toContain('D6b-1 (phase 6b, HIGH, supersedes D4-1): Files are streamed')
    expect(later).not.toMatch(/Read the whole file|Files are read whole/)
    expect(later).toContain('R6b-1 (phase 6b, MAJOR): Rows may be endless')

    const view = await plan.view()
    expect(view.amendments).toMatchObject([{ phase: '6b', points: [{ settled: true }, { settled: false }] }])
    expect(view.phases.find(({ id }) => id === '4')).toMatchObject({ text: 'Files are streamed line by line.' })
    expect(view.decisions.find(({ decision }) => decision.id === 'D4-1')).toMatchObject({ supersededBy: 'D6b-1' })
  })
})

describe('the comparison before phase 9', () => {
  it('[RV5] reads spec, design, tests and decisions; a contradiction is repaired once before the issues', async () => {
    const plan = await startPlan({ lines: [design, compared(contradiction), amends('9', repaired())] })
    expect((await plan.settled()).status).toBe('done')
    const asked = asksOf(plan, 'contradictions')
    expect(asked).toHaveLength(1)
    for (const part of ['Turn a file into a report', 'Read the whole file.', '## test-plan.md', 'D4-1'])
      expect(asked[0]!.system).toContain(part)
    expect(asksOf(plan, 'an amendment')).toHaveLength(1)
    expect(plan.files.read('test-plan.md')).toContain('## Approach\n\nWhole files.')
    expect(plan.files.read('.phase-summaries/phase-7-summary.md')).toContain('\nTests read files whole.')
    const [issues] = asksOf(plan, 'issues')
    expect(issues!.system).toContain('Whole files.')
    expect(plan.files.summary('9').flags).not.toContain('contradictory')
    expect(plan.files.read('tasks.md')).toContain(
      '## Contradictions found\n\n- How are files read?: design.md says “whole”, test-plan.md says “line by line”',
    )
    expect((await plan.view()).consistency).toMatchObject([{ round: 1, contradictions: [contradiction] }])
  })

  it('[RV5] a person rules once on what the architect could not settle; no second amendment is asked', async () => {
    const refused = { points: [{ id: 'a1', settled: false, how: 'only the person knows' }] }
    const plan = await startPlan({ lines: [design, compared(contradiction), amends('9', refused)] })
    expect((await plan.answering({ 'How are files read?': 'whole' })).status).toBe('done')
    expect(asksOf(plan, 'an amendment')).toHaveLength(1)
    expect(asksOf(plan, 'issues')[0]!.prompt).toContain('The person has decided:\n- How are files read? → whole')
    expect(plan.files.summary('9')).toMatchObject({
      key_decisions: [{ id: 'P9-1', confidence: 'HIGH' }],
      risks_identified: [],
    })
    for (const file of ['design.md', 'test-plan.md'])
      expect(plan.files.read(file)).toContain('## Decided by the person since\n\n- How are files read? → whole')
    const { issues } = JSON.parse(plan.files.read('issues.json'))
    for (const { decisions } of issues) expect(decisions).toContain('P9-1')
  })

  it('[RV5] never asks what was asked before: it is carried as a risk', async () => {
    const conflict: Line[] = ['minimal', 'clean'].map((side) =>
      part('4', `software-architect-${side}`, {
        reply: {
          output: `The ${side} design.`,
          positions: [{ question: 'How are files read?', choice: side === 'clean' ? 'line by line' : 'whole' }],
        },
      }),
    )
    const refused = { points: [{ id: 'a1', settled: false, how: 'unclear' }] }
    const plan = await startPlan({ lines: [...conflict, compared(contradiction), amends('9', refused)] })
    expect((await plan.answering({ 'The agents disagree on': 'whole' })).status).toBe('done')
    expect(await plan.events('question.asked')).toHaveLength(1)
    expect(plan.files.summary('9').flags).toContain('contradictory')
    expect(plan.files.summary('9').risks_identified).toMatchObject([{ id: 'R9-1' }])
  })
})

describe('findings of several reviewers', () => {
  const reviewer = (role: string, ...findings: unknown[]): Line => ({
    when: { ask: 'review', phase: '6b', contains: `You are ${role}` },
    reply: { findings },
  })

  it('[RV6] that mean the same are one finding, named by everybody who found it', async () => {
    const plan = await startPlan({
      lines: [
        design,
        reviewer('security-analyst', major('Memory runs out')),
        reviewer('simplicity-reviewer', major('The file does not fit'), major('Two parsers')),
        { when: { ask: 'align', phase: '6b' }, reply: { same: [['f1', 'f2']] } },
      ],
    })
    expect((await plan.settled()).status).toBe('done')
    const [asked] = asksOf(plan, 'groups of findings')
    expect(asked!.prompt).toContain('- f2 MAJOR: The file does not fit (simplicity-reviewer, 90 % sure)')
    expect((await plan.view()).reviews[0]!.carried).toMatchObject([
      { title: 'Memory runs out', by: 'security-analyst, simplicity-reviewer' },
      { title: 'Two parsers' },
    ])
    expect(plan.files.summary('6b').risks_identified).toHaveLength(2)
  })

  it('[RV4] [ST1] in the red team the coordinator weighs them; a dismissed one stays readable', async () => {
    const plan = await startPlan({
      mode: 'advanced',
      lines: [
        reviewer('simplicity-reviewer', { severity: 'CRITICAL', confidence: 95, title: 'No limit' }),
        reviewer('security-analyst'),
        {
          when: { ask: 'defend', phase: '6b', agent: 'lead', round: 3 },
          reply: { findings: [{ id: 'f1', severity: 'NONE', reason: 'the reader has a limit' }] },
        },
      ],
    })
    expect((await plan.settled()).status).toBe('done')
    expect(await plan.events('question.asked')).toEqual([])
    expect((await plan.view()).reviews).toMatchObject([{ outcome: 'pass', advisory: [{ severity: 'CRITICAL' }] }])
    expect(plan.files.read('review.md')).toContain(
      'No limit (simplicity-reviewer, 95 % sure); dismissed by the coordinator: the reader has a limit',
    )
  })
})
