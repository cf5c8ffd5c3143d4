/** What review and comparison find is repaired once, or carried on where everybody sees it. RV4, RV5. */
import { describe, expect, it } from 'vitest'
import { type Line, part, startPlan, synthesis, vote } from './project.ts'

const design: Line = {
  when: { ask: 'phase', phase: '4', contains: synthesis },
  reply: {
    artefact: '## Approach\n\nRead the whole file.\n\n## Components\n\nA reader.',
    summary: 'Files are read whole.',
    key_decisions: [
      { decision: 'Files are read whole', rationale: 'simple', confidence: 'HIGH' },
      { decision: 'One reader', rationale: 'enough', confidence: 'MEDIUM' },
    ],
  },
}
const major = (title: string) => ({ severity: 'MAJOR', confidence: 90, title })
const found = (...titles: string[]): Line => ({
  when: { ask: 'review', phase: '6b', contains: 'You are security-analyst' },
  reply: { findings: titles.map(major) },
})
const amends = (phase: string, reply: unknown): Line => ({
  when: { ask: 'phase', phase, contains: 'Reply in this form: an amendment' },
  reply,
})
const streamed = {
  points: [
    { id: 'a1', settled: true, how: 'lines are streamed' },
    { id: 'a2', settled: false, how: 'nobody knows the largest file' },
  ],
  documents: [
    {
      file: 'design.md',
      summary: 'Files are streamed line by line.',
      sections: [{ heading: 'Approach', text: 'Stream the file line by line.' }],
    },
  ],
  key_decisions: [
    { id: 'MINE-7', decision: 'Files are streamed', rationale: 'memory', confidence: 'HIGH', supersedes: ['D4-1'] },
  ],
}
const asksOf = (plan: Awaited<ReturnType<typeof startPlan>>, form: string) =>
  plan.asked.filter(({ prompt }) => prompt.includes(`Reply in this form: ${form}.`))

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

  it('[RV4] dissents of a YELLOW panel go into the same pass; after GREEN they do not', async () => {
    const yellow = (points: number): Line[] =>
      ['neutral', 'advocate', 'sceptic'].map((judge) =>
        part('6', `judge-${judge}`, { reply: vote(points, `${judge} wants an index`) }),
      )
    const settled = (...ids: string[]) => ({
      points: ids.map((id) => ({ id, settled: true, how: 'an index' })),
      documents: [{ file: 'design.md', summary: 'Indexed.', sections: [{ heading: 'Index', text: 'By row.' }] }],
    })
    const amended = await startPlan({ lines: [design, ...yellow(7), amends('6b', settled('a1', 'a2', 'a3'))] })
    expect((await amended.settled()).status).toBe('done')
    const [asked] = asksOf(amended, 'an amendment')
    expect(asked!.prompt).toContain('- a1 (MAJOR, judge-neutral): neutral wants an index')
    expect(amended.files.read('design.md')).toContain('## Index\n\nBy row.\n\n## Agreement')
    const green = await startPlan({ lines: [design, ...yellow(9)] })
    expect((await green.settled()).status).toBe('done')
    expect(asksOf(green, 'an amendment')).toEqual([])
  })

  it('[RV4] without an expert review the dissents are settled at the end of the validation', async () => {
    const plan = await startPlan({
      plan: { feature_flags: { a4_expert_review: false } },
      lines: [
        design,
        part('6', 'judge-sceptic', { reply: vote(3, 'no limit') }),
        amends('6', { ...streamed, points: [{ id: 'a1', settled: true, how: 'a limit' }] }),
      ],
    })
    expect((await plan.settled()).status).toBe('done')
    expect(plan.files.summary('6')).toMatchObject({ outcome: 'YELLOW', key_decisions: [{ id: 'D6-1' }] })
    expect(plan.files.read('design.md')).toContain('Stream the file line by line.')
  })

  it.each([
    ['claims without a change', { points: [{ id: 'a1', settled: true, how: 'it is fine' }] }],
    ['no answer', undefined],
  ])('[RV4] %s: every point is carried as a risk', async (_, reply) => {
    const line: Line =
      reply === undefined ? { ...amends('6b', null), fail: 'unavailable', repeat: true } : amends('6b', reply)
    if (reply === undefined) delete line.reply
    const plan = await startPlan({ lines: [design, found('Memory runs out'), line] })
    expect((await plan.settled()).status).toBe('done')
    expect(plan.files.summary('6b').risks_identified).toMatchObject([
      { id: 'R6b-1', risk: 'Memory runs out (security-analyst)', severity: 'MAJOR' },
    ])
    expect(plan.files.read('design.md')).toContain('Read the whole file.')
    expect(plan.files.read('tasks.md')).toContain('Memory runs out')
  })
})

const contradiction = {
  matter: 'How are files read?',
  first: { where: 'design.md', says: 'whole' },
  second: { where: 'test-plan.md', says: 'line by line' },
}
const compared = (...found: unknown[]): Line => ({
  when: { ask: 'review', phase: '9', contains: 'Reply in this form: contradictions' },
  reply: { contradictions: found },
})
const repaired = (values: object = {}) => ({
  points: [{ id: 'a1', settled: true, how: 'the test plan reads it whole' }],
  documents: [
    {
      file: 'test-plan.md',
      summary: 'Tests read files whole.',
      sections: [{ heading: 'Approach', text: 'Whole files.' }],
    },
  ],
  ...values,
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

  it('[RV5] is made a second time only if the repair replaced a decision; what stands then is asked and carried', async () => {
    const replaces = [{ decision: 'Read by line', rationale: 'tests', confidence: 'HIGH', supersedes: ['D4-1'] }]
    const other = { ...contradiction, matter: 'Which encoding is assumed?' }
    const lines = [design, compared(contradiction), compared(other), amends('9', repaired({ key_decisions: replaces }))]
    const plan = await startPlan({ lines })
    const { status, questions } = await plan.settled()
    expect(status).toBe('waiting')
    expect(questions).toMatchObject([
      {
        text: 'The plan contradicts itself: Which encoding is assumed?',
        choices: ['whole', 'line by line', 'carry it as a risk'],
        context: { detail: '- whole (design.md)\n- line by line (test-plan.md)' },
      },
    ])
    await plan.answer(questions![0]!, 'carry it as a risk')
    expect((await plan.settled()).status).toBe('done')
    expect(asksOf(plan, 'contradictions')).toHaveLength(2)
    expect(asksOf(plan, 'an amendment')).toHaveLength(1)
    const { flags, risks_identified } = plan.files.summary('9')
    expect(flags).toContain('contradictory')
    expect(risks_identified).toMatchObject([{ id: 'R9-1', severity: 'MAJOR' }])
    expect(plan.files.read('tasks.md')).toContain('## Contradictions that stand\n\n- Which encoding is assumed?')
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

  it('[RV5] a comparison that fails is flagged, not passed over', async () => {
    const line = { when: { ask: 'review', phase: '9' }, fail: 'unavailable', repeat: true }
    const plan = await startPlan({ lines: [design, line] })
    expect((await plan.settled()).status).toBe('done')
    expect(plan.files.summary('9').flags).toContain('consistency_unchecked')
    expect((await plan.view()).consistency).toMatchObject([{ contradictions: null }])
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
