/** What review and comparison find is repaired once, or carried on where everybody sees it. RV4, RV5. */
import { describe, expect, it } from 'vitest'
import { splitFrontMatter } from '../../src/plan/artefacts.ts'
import { amends, asksOf, compared, contradiction, design, found, major, repaired, streamed } from './amend-lines.ts'
import { type Line, part, startPlan, synthesis, vote } from './project.ts'

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
    expect(page).toMatch(/^key_decisions:\n {2}- id: D4-2$/m)
    expect(page).toContain('## Decisions replaced since\n\n- **D4-1** → **D6b-1**: Files are streamed')
    expect(splitFrontMatter(page).text).not.toContain('Files are read whole')
    expect(page).toContain('## Amendments of phase 6b\n\n- Memory runs out (security-analyst) → lines are streamed')
    expect(plan.files.read('plan.md')).toContain('## Outcome\n\nFiles are streamed line by line.')
    expect(plan.files.read('plan.md')).toContain('- **D6b-1** (phase 6b, HIGH): Files are streamed')
    expect(plan.files.read('plan.md')).not.toContain('- **D4-1**')
    expect(plan.files.read('plan.md')).toMatch(
      /\n## Verdicts\n\n- validation: GREEN \d+ % \(3 of 3 answered\)\n- expert review: pass with risk \(2 of 2 reviewers answered\); carried as R6b-1, the rest settled by an amendment\n- coverage: GREEN \d+ % /,
    )
    expect(plan.files.summary('4').flags).toContain('amended')
    expect(plan.files.summary('4')).toMatchObject({
      key_decisions: [{ id: 'D4-2' }],
      replaced_decisions: [{ id: 'D4-1', by: 'D6b-1' }],
    })
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
    // What research found travels with its files and lines; an empty specification does not.
    for (const phase of ['4', '6', '6b', '7']) expect(plan.of(phase)[0]!.system).toContain('## research.md')
    for (const { system } of plan.asked) expect(system).not.toContain('# Specification')
    expect(later).toContain('D6b-1 (phase 6b, HIGH, supersedes D4-1): Files are streamed')
    expect(later).not.toMatch(/Read the whole file|Files are read whole/)
    expect(later).toContain('R6b-1 (phase 6b, MAJOR): Rows may be endless')

    const view = await plan.view()
    expect(view.amendments).toMatchObject([{ phase: '6b', points: [{ settled: true }, { settled: false }] }])
    expect(view.phases.find(({ id }) => id === '4')).toMatchObject({ text: 'Files are streamed line by line.' })
    expect(view.decisions.find(({ decision }) => decision.id === 'D4-1')).toMatchObject({ supersededBy: 'D6b-1' })
  })
})

describe('a risk that an amendment changes', () => {
  const risky: Line = {
    ...design,
    reply: {
      ...(design.reply as object),
      risks_identified: [{ risk: 'A row may be endless', severity: 'MAJOR', mitigation: 'read it whole' }],
    },
  }
  const streams = {
    points: [{ id: 'a1', settled: true, how: 'it is read in pieces' }],
    risks_identified: [
      { id: 'R4-1', risk: 'A row may be endless', severity: 'MINOR', mitigation: 'read it in pieces' },
    ],
  }

  it('[RV4] reads so in its document, its summary and every later prompt, and is not asked about', async () => {
    const about = {
      matter: 'How is an endless row read?',
      first: { where: 'R4-1', says: 'read it whole' },
      second: { where: 'test-plan.md', says: 'in pieces' },
    }
    const plan = await startPlan({ lines: [risky, compared(about), amends('9', streams)] })
    expect(await plan.settled()).toMatchObject({ status: 'done', contradictions: [] })
    expect(await plan.events('question.asked')).toEqual([])
    expect(plan.files.read('design.md')).toContain(
      '- **R4-1** (MINOR): A row may be endless → read it in pieces _Changed in phase 9._',
    )
    for (const file of ['design.md', 'plan.md']) expect(plan.files.read(file)).not.toContain('read it whole')
    expect(plan.files.summary('4').risks_identified).toMatchObject([{ id: 'R4-1', mitigation: 'read it in pieces' }])
    expect(plan.files.summary('9').risks_identified).toEqual([])
    const { system } = asksOf(plan, 'issues')[0]!
    expect(system).toContain('R4-1 (phase 4, MINOR): A row may be endless → read it in pieces')
    expect(system).not.toContain('read it whole')
    expect(plan.files.read('tasks.md')).not.toContain('→ read it whole')
    const view = await plan.view()
    expect(view.phases.find(({ id }) => id === '4')!.summary!.risks_identified).toMatchObject([
      { mitigation: 'read it in pieces' },
    ])
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
      '## Contradictions found\n\n- How are files read?: design.md says “whole”, test-plan.md says “line by line” → the test plan reads it whole',
    )
    // Once, with its end.
    expect(plan.files.read('tasks.md').match(/How are files read\?/g)).toHaveLength(1)
    expect((await plan.view()).consistency).toMatchObject([{ round: 1, contradictions: [contradiction] }])
  })

  it('[RV5] a person rules once on what the architect could not settle; no second amendment is asked', async () => {
    const refused = { points: [{ id: 'a1', settled: false, how: 'only the person knows' }] }
    const plan = await startPlan({ lines: [design, compared(contradiction), amends('9', refused)] })
    expect((await plan.answering({ 'How are files read?': 'whole' })).status).toBe('done')
    expect(asksOf(plan, 'an amendment')).toHaveLength(1)
    expect((await plan.events('question.asked'))[0]!.data).toMatchObject({
      context: { background: 'The architect left it open: only the person knows' },
    })
    // It was compared: nobody is asked for contradictions twice.
    expect(asksOf(plan, 'issues')[0]!.prompt).not.toContain('"contradictions"')
    // With its id, so that issues can name it; and once.
    const decided = 'P9-1 (phase 9, HIGH): How are files read: whole'
    expect(asksOf(plan, 'issues')[0]!.system).toContain(decided)
    expect(asksOf(plan, 'issues')[0]!.prompt).not.toContain('How are files read?')
    expect(plan.files.summary('9')).toMatchObject({
      key_decisions: [{ id: 'P9-1', confidence: 'HIGH' }],
      risks_identified: [],
    })
    for (const file of ['design.md', 'test-plan.md'])
      expect(plan.files.read(file)).toContain('## Decided by the person since\n\n- How are files read? → whole')
    const { issues } = JSON.parse(plan.files.read('issues.json'))
    const carries = issues.map(({ decisions = [] }: { decisions?: string[] }) => decisions.includes('P9-1'))
    expect(carries).toEqual([true, false])
  })

  it('[RV5] puts a contradiction as the architect would, with what follows from each side', async () => {
    const question = {
      text: 'May the file be larger than memory?',
      options: [
        { choice: 'no', follows: 'nothing changes', decision: 'Files are read whole.', as_designed: true },
        { choice: 'yes', follows: 'T1 stays', decision: 'Files are read by line.', held_by: ['test-plan.md'] },
      ],
    }
    const refused = { points: [{ id: 'a1', settled: false, how: 'only the person knows', question }] }
    const plan = await startPlan({ lines: [design, compared(contradiction), amends('9', refused)] })
    const { questions } = await plan.settled()
    expect(questions).toMatchObject([
      {
        text: 'The plan contradicts itself: May the file be larger than memory?',
        choices: ['no', 'yes', 'carry it as a risk'],
        context: {
          stands: [
            { agents: ['the plan as it is'], follows: 'nothing changes' },
            { agents: ['test-plan.md'], follows: 'T1 stays' },
          ],
        },
      },
    ])
    await plan.answer(questions![0]!, 'yes')
    expect((await plan.settled()).status).toBe('done')
    expect(plan.files.summary('9').key_decisions).toMatchObject([{ decision: 'Files are read by line.' }])
    expect(plan.files.read('spec.md')).toContain('- **May the file be larger than memory?** yes')
  })

  it('[RV5] an answer strikes what it overrules: the words of a document, or a decision', async () => {
    const refused = { points: [{ id: 'a1', settled: false, how: 'only the person knows' }] }
    const about = {
      matter: 'How are files read?',
      first: { where: 'design.md (Approach)', says: 'Read the whole file.' },
      second: { where: 'D4-2', says: 'One reader' },
    }
    const plan = await startPlan({ lines: [design, compared(about), amends('9', refused)] })
    expect((await plan.answering({ 'How are files read?': 'One reader' })).status).toBe('done')
    const struck = '~~Read the whole file.~~ (decided since: One reader)'
    expect(plan.files.read('design.md')).toContain(`## Approach\n\n${struck}`)
    // The issues are written by what holds.
    expect(asksOf(plan, 'issues')[0]!.system).toContain(struck)

    const other = await startPlan({ lines: [design, compared(about), amends('9', refused)] })
    expect((await other.answering({ 'How are files read?': 'Read the whole file.' })).status).toBe('done')
    expect(other.files.summary('9').key_decisions).toMatchObject([{ id: 'P9-1', supersedes: ['D4-2'] }])
    expect(other.files.read('design.md')).toContain('- **D4-2** → **P9-1**: ')
    expect(other.files.read('plan.md')).not.toContain('**D4-2**')
    expect(asksOf(other, 'issues')[0]!.system).not.toContain('One reader')
    expect(JSON.parse(other.files.read('issues.json')).issues[0].decisions).toContain('P9-1')

    // A remark behind the choice changes nothing of that.
    const remarked = await startPlan({ lines: [design, compared(about), amends('9', refused)] })
    const remark = 'Read the whole file. — but say so in the README'
    expect((await remarked.answering({ 'How are files read?': remark })).status).toBe('done')
    expect(remarked.files.summary('9').key_decisions).toMatchObject([{ id: 'P9-1', supersedes: ['D4-2'] }])
    expect(remarked.files.read('plan.md')).not.toContain('**D4-2**')

    // In own words: it cannot be told what is overruled.
    const third = await startPlan({ lines: [design, compared(about), amends('9', refused)] })
    expect((await third.answering({ 'How are files read?': 'ask the reader' })).status).toBe('done')
    expect(third.files.read('design.md')).toContain('Read the whole file. (decided since: ask the reader)')
    expect(third.files.read('plan.md')).toContain('**D4-2**')
  })

  const options = [
    { choice: 'one', follows: 'x', decision: 'There is one reader.', as_designed: true, held_by: ['design.md'] },
    { choice: 'two', follows: 'y', decision: 'There are two readers.', held_by: ['test-plan.md'] },
  ]
  const question = { text: 'May there be two readers?', options }
  const left = (...ids: string[]) => ({ points: ids.map((id) => ({ id, settled: false, how: 'h', question })) })

  it('[RV5] an answer that another document holds keeps its words and replaces the decision of the design', async () => {
    const about = {
      matter: 'How many readers are there?',
      first: { where: 'test-plan.md', says: 'There are two readers of files.' },
      second: { where: 'D4-2', says: 'One reader' },
    }
    const tests: Line = {
      when: { ask: 'phase', phase: '7', contains: synthesis },
      reply: { artefact: '## Approach\n\nThere are two readers of files.', summary: 's' },
    }
    const plan = await startPlan({ lines: [design, tests, compared(about), amends('9', left('a1'))] })
    expect((await plan.answering({ 'two readers': 'two' })).status).toBe('done')
    expect(plan.files.summary('9').key_decisions).toMatchObject([
      { decision: 'There are two readers.', supersedes: ['D4-2'] },
    ])
    expect(plan.files.read('test-plan.md')).not.toContain('~~')
  })

  it('[RV5] two contradictions that the architect puts by one question are asked once and both decided', async () => {
    const between = (matter: string, where: string) => ({
      matter,
      first: { where: 'design.md', says: 'one reader' },
      second: { where, says: `two of ${where}` },
    })
    const both = [between('How many readers are there?', 'D4-1'), between('Which parts read lines?', 'D4-2')]
    const plan = await startPlan({ lines: [design, compared(...both), amends('9', left('a1', 'a2'))] })
    expect((await plan.answering({ 'two readers': 'one' })).status).toBe('done')
    expect(await plan.events('question.asked')).toHaveLength(1)
    expect(plan.files.summary('9').key_decisions).toMatchObject([{ id: 'P9-1', supersedes: ['D4-1', 'D4-2'] }])
    expect(plan.files.summary('9').risks_identified).toEqual([])
  })

  it('[PH2] the answers of phase 9 join those of phase 3 in spec.md; what was written behind them stays', async () => {
    const research: Line = {
      when: { ask: 'phase', phase: '2', contains: synthesis },
      reply: {
        artefact: 'x',
        summary: 's',
        open_questions: [{ question: 'Which encoding do the files have?', priority: 'HIGH' }],
      },
    }
    const about = { ...contradiction, first: { where: 'spec.md', says: 'whole' } }
    const refused = { points: [{ id: 'a1', settled: false, how: 'only the person knows' }] }
    const plan = await startPlan({ lines: [research, design, compared(about), amends('9', refused)] })
    await plan.answer((await plan.settled()).questions![0]!, 'UTF-8')
    expect((await plan.settled()).questions).toMatchObject([{ text: expect.stringContaining('How are files read?') }])
    plan.files.write('spec.md', `${plan.files.read('spec.md')}\n## Out of scope\n\nNo streaming.\n`)
    expect((await plan.answering({ 'How are files read?': 'whole' })).status).toBe('done')
    const spec = plan.files.read('spec.md')
    for (const part of ['?** UTF-8', '?** whole', '## Out of scope\n\nNo streaming.', '## Decided by the person since'])
      expect(spec.split(part), part).toHaveLength(2)
  })

  it('[RV5] an answer given before decides; nothing is asked twice', async () => {
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
    const ended = await plan.answering({ 'The agents disagree on': 'whole' })
    expect(ended).toMatchObject({ status: 'done', contradictions: [] })
    expect(await plan.events('question.asked')).toHaveLength(1)
    expect(plan.files.summary('9').flags).not.toContain('contradictory')
    expect(plan.files.summary('9').risks_identified).toEqual([])
    expect(asksOf(plan, 'issues')[0]!.system).toContain('How are files read: whole')
    expect(plan.files.read('design.md')).toContain('## Decided by the person since\n\n- How are files read? → whole')
  })

  it('[RV5] of two contradictions the one that the second comparison forgets is asked too, or stays open', async () => {
    const encoding = {
      matter: 'Which encoding is assumed?',
      first: { where: 'design.md', says: 'UTF-8' },
      second: { where: 'test-plan.md', says: 'Latin-1' },
    }
    const half = {
      ...repaired({
        key_decisions: [{ decision: 'Read by line', rationale: 'tests', confidence: 'HIGH', supersedes: ['D4-1'] }],
      }),
      points: [
        { id: 'a1', settled: true, how: 'the test plan reads it whole' },
        { id: 'a2', settled: false, how: 'only the person knows' },
      ],
    }
    const lines = [
      design,
      compared(contradiction, encoding),
      amends('9', half),
      // The second comparison names only the one that was called settled.
      compared(contradiction),
    ]
    const plan = await startPlan({ lines })
    const { questions } = await plan.settled()
    expect(questions!.map(({ text }) => text)).toEqual([
      'The plan contradicts itself: How are files read?',
      'The plan contradicts itself: Which encoding is assumed?',
    ])
    await plan.answer(questions![0]!, 'whole')
    await plan.answer(questions![1]!, 'carry it as a risk')
    const words = 'Which encoding is assumed?: design.md says “UTF-8”, test-plan.md says “Latin-1”'
    expect(await plan.settled()).toMatchObject({ status: 'done', contradictions: [words] })
    expect(plan.files.summary('9')).toMatchObject({
      flags: expect.arrayContaining(['contradictory']),
      risks_identified: [{ id: 'R9-1', risk: `${words} (consistency check)` }],
    })
    const { issues } = JSON.parse(plan.files.read('issues.json'))
    for (const { context } of issues) expect(context).toContain(`- ${words}`)
    expect((await plan.view()).contradictions).toMatchObject([
      { matter: 'How are files read?', end: 'decided', how: 'whole' },
      { matter: 'Which encoding is assumed?', end: 'open', how: 'the person left it open' },
    ])
    const [finished] = await plan.events('plan.finished')
    expect(finished!.data).toMatchObject({ contradictions: [words] })
  })
})

describe('a coverage panel', () => {
  it('[PH4] is not GREEN if two judges name the same gap: the gap is repaired', async () => {
    const settles = {
      points: ['a1', 'a2'].map((id) => ({ id, settled: true, how: 'T9 tests a folder' })),
      documents: [
        {
          file: 'test-plan.md',
          summary: 'With a folder.',
          sections: [{ heading: 'Edge cases', text: 'T9 a folder.' }],
        },
      ],
    }
    const plan = await startPlan({
      lines: [
        part('8', 'judge-requirements', { reply: vote(9, 'a folder as input has no test') }),
        part('8', 'judge-sceptic', { reply: vote(8, 'nobody passes a directory') }),
        { when: { ask: 'align', phase: '8' }, reply: { same: [['f1', 'f2']] } },
        amends('9', settles),
      ],
    })
    expect((await plan.settled()).status).toBe('done')
    const { outcome, flags } = plan.files.summary('8')
    expect([outcome, flags]).toEqual(['YELLOW', ['rubric_yellow', 'shared_gap']])
    expect(plan.files.read('coverage.md')).toContain('two members name the same gap: a folder as input has no test')
    expect(plan.files.read('test-plan.md')).toContain('## Edge cases\n\nT9 a folder.')
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

describe('a finding that only the person can settle', () => {
  const asks = {
    points: [
      {
        id: 'a1',
        settled: false,
        how: 'only the person knows',
        question: {
          text: 'May a file be larger than memory, against D4-1?',
          options: [
            {
              choice: 'no',
              follows: 'nothing changes',
              decision: 'Files always fit into memory.',
              held_by: ['software-architect-pragmatic'],
              as_designed: true,
            },
            {
              choice: 'yes',
              follows: 'lines are streamed',
              decision: 'Files may be larger than memory.',
              held_by: ['simplicity-reviewer'],
            },
            { choice: 'only on Linux', follows: 'two readers', decision: 'Only Linux reads large files.' },
          ],
        },
      },
    ],
  }
  const streams = {
    points: [{ id: 'a1', settled: true, how: 'lines are streamed' }],
    documents: [
      {
        file: 'design.md',
        summary: 'Files are streamed.',
        sections: [{ heading: 'Approach', text: 'Stream the file line by line.' }],
      },
    ],
  }

  it('[RV4] is put to the person with options; an answer that changes the design is written into it', async () => {
    const plan = await startPlan({
      lines: [design, found('Memory runs out'), amends('6b', asks), amends('6b', streams)],
    })
    const { status, questions } = await plan.settled()
    expect(status).toBe('waiting')
    expect(questions).toMatchObject([
      {
        // Nobody at the terminal has seen D4-1.
        text: 'May a file be larger than memory, against D4-1 (“Files are read whole”)?',
        choices: ['no', 'yes', 'only on Linux', 'carry it as a risk'],
        context: {
          phase: '6b',
          detail: [
            'security-analyst: Memory runs out',
            '- no (software-architect-pragmatic): nothing changes',
            '- yes (simplicity-reviewer): lines are streamed',
            // Who raised the point holds none of the options unless the architect says so.
            '- only on Linux: two readers',
          ].join('\n'),
        },
      },
    ])
    await plan.answer(questions![0]!, 'yes')
    expect((await plan.settled()).status).toBe('done')
    expect(await plan.events('question.asked')).toHaveLength(1)
    expect(asksOf(plan, 'an amendment')).toHaveLength(2)
    expect(asksOf(plan, 'an amendment')[1]!.prompt).toContain('The person decided: yes')
    expect(plan.files.read('design.md')).toContain('Stream the file line by line.')
    const { key_decisions, risks_identified } = plan.files.summary('6b')
    expect(key_decisions).toMatchObject([
      { id: 'P6b-1', decision: 'Files may be larger than memory.', rationale: 'decided by the person', answer: 'yes' },
    ])
    expect(risks_identified).toEqual([])
    expect((await plan.view()).amendments.flatMap(({ points }) => points)).toMatchObject([
      { text: 'Memory runs out', settled: true, how: 'decided by the person: yes', decided: true },
      { by: 'the person', settled: true },
    ])
    expect(plan.of('7')[0]!.system).toContain('P6b-1 (phase 6b, HIGH): Files may be larger than memory.')
  })

  it('[RV4] the amendment after the answer starts from the one before, and may replace what that decided', async () => {
    const [point] = asks.points
    const first = {
      points: [
        point,
        { id: 'a2', settled: true, how: 'one reader' },
        { id: 'a3', settled: false, how: 'x', same_as: 'a1' },
      ],
      documents: [{ file: 'design.md', summary: 'One.', sections: [{ heading: 'Components', text: 'One reader.' }] }],
      key_decisions: [{ decision: 'A reader of bytes', rationale: 'r', confidence: 'HIGH', resolves: ['Q4-1'] }],
    }
    const second = {
      ...streams,
      key_decisions: [{ decision: 'A reader of lines', rationale: 'r', confidence: 'HIGH', supersedes: ['D6b-1'] }],
    }
    const open_questions = [{ question: 'Which reader is it?', priority: 'LOW' }]
    const asking: Line = { ...design, reply: { ...(design.reply as object), open_questions } }
    const plan = await startPlan({
      lines: [
        asking,
        found('Memory runs out', 'Two readers', 'It does not fit'),
        amends('6b', first),
        amends('6b', second),
      ],
    })
    expect((await plan.answering({ 'larger than memory': 'yes' })).status).toBe('done')
    const { system } = asksOf(plan, 'an amendment')[1]!
    for (const part of [
      'One reader.',
      'D6b-1 (phase 6b, HIGH): A reader of bytes',
      'P6b-1 (phase 6b, HIGH): Files may',
    ])
      expect(system).toContain(part)
    for (const gone of ['A reader.', 'Which reader is it?']) expect(system).not.toContain(gone)
    const { key_decisions, risks_identified } = plan.files.summary('6b')
    expect(key_decisions).toMatchObject([{ id: 'D6b-2', supersedes: ['D6b-1'] }, { id: 'P6b-1' }])
    expect(risks_identified).toEqual([])
    expect(plan.files.read('review.md')).toContain('It does not fit (security-analyst) → yes')
  })

  it('[RV4] needs no further amendment if the design follows the answer, and is a risk if the person leaves it open', async () => {
    for (const [answer, risks] of [
      ['no', []],
      ['carry it as a risk', [expect.objectContaining({ id: 'R6b-1', severity: 'MAJOR' })]],
    ] as const) {
      const plan = await startPlan({ lines: [design, found('Memory runs out'), amends('6b', asks)] })
      expect((await plan.answering({ 'larger than memory': answer })).status).toBe('done')
      expect(asksOf(plan, 'an amendment')).toHaveLength(1)
      expect(plan.files.summary('6b').risks_identified).toEqual(risks)
    }
  })
})
