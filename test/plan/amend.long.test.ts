/** More ways in which an amendment or a comparison ends. RV4, RV5. */
import { describe, expect, it } from 'vitest'
import { amends, asksOf, compared, contradiction, design, found, repaired, streamed } from './amend-lines.ts'
import { type Line, part, startPlan, vote } from './project.ts'

describe('what the review of a design finds', () => {
  it('[RV4] dissents of a YELLOW panel go into the same pass; after GREEN they do not', async () => {
    const wishes = { neutral: 'an index', advocate: 'a shorter name', sceptic: 'a limit of rows' }
    const yellow = (points: number): Line[] =>
      Object.entries(wishes).map(([judge, wish]) =>
        part('6', `judge-${judge}`, { reply: vote(points, `${judge} wants ${wish}`) }),
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

  it('[PH4] what a member misses in a test plan that scored GREEN becomes a test of the issue that it concerns', async () => {
    const line = part('8', 'judge-edge-cases', { reply: vote(9, 'no row for an empty report') })
    const plan = await startPlan({ lines: [design, line] })
    expect((await plan.settled()).status).toBe('done')
    expect(plan.files.summary('8')).toMatchObject({ outcome: 'GREEN' })
    const { issues } = JSON.parse(plan.files.read('issues.json')) as { issues: { title: string; context: string }[] }
    const noted = 'noted as missing by judge-edge-cases: no row for an empty report'
    expect(issues.filter(({ context }) => context.includes(`- ${noted}`))).toMatchObject([
      { title: 'Write the report' },
    ])
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

  it('[RV4] the architect is told what the person has said in the phase; their answer resolves the questions it names', async () => {
    const open_questions = [{ question: 'How large is a file?', priority: 'LOW' }]
    const asking: Line = { ...design, reply: { ...(design.reply as object), open_questions } }
    const critical = found('Leaks')
    critical.reply = { findings: [{ severity: 'CRITICAL', confidence: 95, title: 'Leaks' }] }
    const question = {
      text: 'May a file be larger than memory?',
      options: [
        { choice: 'no', follows: '', decision: 'Files always fit into memory.', as_designed: true },
        { choice: 'yes', follows: '', decision: 'Files may be larger than memory.', held_by: ['security-analyst'] },
      ],
      resolves: ['Q4-1', 'Q9-9'],
    }
    const asks = { points: [{ id: 'a1', settled: false, how: 'x', question }] }
    const plan = await startPlan({ lines: [asking, critical, found('Memory runs out'), amends('6b', asks)] })
    await plan.answer((await plan.settled()).questions![0]!, 'the rows are public')
    await plan.answer((await plan.settled()).questions![0]!, 'no')
    expect((await plan.settled()).status).toBe('done')
    const [asked] = asksOf(plan, 'an amendment')
    expect(asked!.system).toMatch(/P6b-1 \(phase 6b, HIGH\): .*the rows are public/)
    expect(asked!.system).toContain('How large is a file?')
    expect(plan.files.summary('6b').key_decisions).toMatchObject([{ id: 'P6b-1' }, { resolves: ['Q4-1'] }])
    expect(plan.of('7')[0]!.system).not.toContain('How large is a file?')
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

describe('the comparison before phase 9', () => {
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

  it('[RV5] a contradiction that the second comparison finds again is carried, whatever the architect said', async () => {
    const replaces = [{ decision: 'Read by line', rationale: 'tests', confidence: 'HIGH', supersedes: ['D4-1'] }]
    const again = { ...compared(contradiction), repeat: true }
    const plan = await startPlan({
      lines: [design, again, amends('9', repaired({ key_decisions: replaces }))],
      yes: true,
    })
    expect((await plan.settled()).status).toBe('done')
    const { flags, risks_identified } = plan.files.summary('9')
    expect(flags).toContain('contradictory')
    expect(risks_identified).toMatchObject([{ id: 'R9-1', risk: expect.stringContaining('How are files read?') }])
    expect(asksOf(plan, 'an amendment')).toHaveLength(1)
    expect(plan.files.read('tasks.md')).toContain(
      'The plan contradicts itself: How are files read? → carried as a risk',
    )
  })

  it('[RV5] a contradiction that the writer of the issues names is open, in the result and in the issue', async () => {
    const issue = { title: 'Read it', acceptance_criteria: [{ id: 'reads', text: 'Files are read' }] }
    const line: Line = {
      when: { ask: 'phase', phase: '9', contains: 'Reply in this form: issues' },
      reply: { issues: [issue], contradictions: [contradiction] },
    }
    const plan = await startPlan({ lines: [design, line] })
    const words = 'How are files read?: design.md says “whole”, test-plan.md says “line by line”'
    expect(await plan.settled()).toMatchObject({ status: 'done', contradictions: [words] })
    expect(plan.files.read('tasks.md')).toContain(`## Contradictions that stand\n\n- ${words}`)
    expect(JSON.parse(plan.files.read('issues.json')).issues[0].context).toContain(`- ${words}`)
  })

  it('[RV5] a comparison that fails is flagged, not passed over', async () => {
    const line = { when: { ask: 'review', phase: '9' }, fail: 'unavailable', repeat: true }
    const plan = await startPlan({ lines: [design, line] })
    expect((await plan.settled()).status).toBe('done')
    expect(plan.files.summary('9').flags).toContain('consistency_unchecked')
    expect((await plan.view()).consistency).toMatchObject([{ contradictions: null }])
  })
})
