/** Positions of a team, sorted by meaning: what they agree on, and what a person is asked. CV7. */
import { describe, expect, it } from 'vitest'
import { type Line, part, startPlan, synthesis, view, vote } from './project.ts'

const stated = (side: string, positions: [question: string, choice: string][]): Line =>
  part('4', `software-architect-${side}`, {
    reply: {
      output: `The ${side} design.`,
      positions: positions.map(([question, choice]) => ({ question, choice, confidence: 0.9 })),
    },
  })
/** p1 p2 of minimal, p3 p4 of clean, p5 of pragmatic. */
const team = [
  stated('minimal', [
    ['Where do rows go', 'plain files'],
    ['Which parser', 'our own'],
  ]),
  stated('clean', [
    ['Storage', 'a SQLite table'],
    ['Parsing', 'write it ourselves'],
  ]),
  stated('pragmatic', [['Persistence', 'files on disk']]),
]
const alignment = {
  questions: [
    {
      question: 'Where are rows stored?',
      options: [
        { choice: 'in files', positions: ['p1', 'p5'], follows: 'no migration' },
        { choice: 'in SQLite', positions: ['p3'], follows: 'a schema to migrate' },
      ],
    },
    { question: 'Which parser?', options: [{ choice: 'our own', positions: ['p2', 'p4'] }] },
  ],
  alone: [],
}
const align = (line: Partial<Line>): Line => ({ when: { ask: 'align', phase: '4' }, ...line })

describe('positions of a phase', () => {
  it('[CV7] are sorted by one ask; only a real conflict is asked, with who holds what and what follows', async () => {
    const plan = await startPlan({ lines: [...team, align({ reply: alignment })] })
    const { status, questions } = await plan.settled()
    expect(status).toBe('waiting')
    expect(questions).toEqual([
      expect.objectContaining({
        text: 'The agents disagree on: Where are rows stored?',
        context: expect.objectContaining({
          detail: [
            '- in files (software-architect-minimal, software-architect-pragmatic): no migration',
            '- in SQLite (software-architect-clean): a schema to migrate',
          ].join('\n'),
        }),
        choices: ['in files', 'in SQLite', 'let the coordinator decide'],
      }),
    ])
    const asked = plan.of('4').filter(({ kind }) => kind === 'align')
    expect(asked).toHaveLength(1)
    expect(asked[0]!.prompt).toContain('- p3 (software-architect-clean) Storage → a SQLite table')
    // The positions and the request are enough: neither the documents nor the facts travel with them.
    expect(asked[0]!.system).toContain('## Original request\nTurn a file into a report')
    expect(asked[0]!.system).not.toMatch(/tracked files|## spec\.md|Reading comes first/)
    await plan.answer(questions![0]!, 'in files')
    expect((await plan.settled()).status).toBe('done')
    expect((await plan.phase('4')).convergence).toMatchObject([{ aligned: true, positions: 0.5, verdict: 'medium' }])
    expect(plan.of('4').at(-1)!.prompt).toContain('The person has decided:\n- Where are rows stored? → in files')
    expect(plan.files.read('design.md')).toContain('on 1 of 2 questions that several speak to')
  })

  it('[CX2] the answer closes the open question on its matter at once: the synthesis of the phase is not told that it is open', async () => {
    const open_questions = [{ question: 'Where should rows be stored, in files?', priority: 'MEDIUM' }]
    const research: Line = {
      when: { ask: 'phase', phase: '2', contains: synthesis },
      reply: { artefact: '## Unknown\n\n- Where rows go.', open_questions },
    }
    const plan = await startPlan({ lines: [research, ...team, align({ reply: alignment })] })
    await plan.answer((await plan.settled()).questions![0]!, 'in files')
    expect((await plan.settled()).status).toBe('done')
    const [first, last] = [plan.of('4')[0]!, plan.of('4').at(-1)!].map(({ system }) => system)
    expect(first).toContain('### Still open\n- Q2-1')
    expect(last).not.toContain('Q2-1')
    expect(plan.files.summary('4').key_decisions).toMatchObject([{}, { id: 'P4-1', resolves: ['Q2-1'] }])
    expect(plan.files.read('research.md')).toContain('- Where rows go.\n\n_Answered since: Q2-1 (P4-1)._')
  })

  it('[CV7] a matter of the code alone on which most agree is taken as an assumption; the answers file still decides', async () => {
    const questions = alignment.questions.map((one, at) => (at === 0 ? { ...one, internal: true } : one))
    const lines = [...team, align({ reply: { ...alignment, questions } })]
    const plan = await startPlan({ lines })
    const { status, assumptions } = await plan.settled()
    expect(status).toBe('done')
    const taken = 'Where are rows stored? → in files'
    expect(assumptions).toEqual([`The agents disagree on: ${taken} (2 of 3 agents; a matter of the code alone)`])
    expect(plan.files.read('tasks.md')).toContain(`## Assumptions\n\n- The agents disagree on: ${taken}`)
    expect(plan.of('4').at(-1)!.prompt).toContain(
      `Taken without a question, because most of the agents hold it:\n- ${taken}`,
    )
    const told = await startPlan({ lines, answers: [{ match: 'Where are rows stored', answer: 'in SQLite' }] })
    expect(await told.settled()).toMatchObject({ status: 'done', assumptions: [] })
    expect(told.of('4').at(-1)!.prompt).toContain('The person has decided:\n- Where are rows stored? → in SQLite')
  })

  it('[CV7] all conflicts of a phase are asked together', async () => {
    const both = {
      questions: [
        alignment.questions[0],
        {
          question: 'Which parser?',
          options: [
            { choice: 'our own', positions: ['p2'] },
            { choice: 'a library', positions: ['p4'] },
          ],
        },
      ],
      alone: [],
    }
    const plan = await startPlan({ lines: [...team, align({ reply: both })] })
    expect((await plan.settled()).questions).toHaveLength(2)
  })

  it('[CV7] a reply that leaves out a position is sent back once with the reason', async () => {
    const short = { ...alignment, questions: alignment.questions.slice(0, 1) }
    const plan = await startPlan({ lines: [...team, align({ reply: short }), align({ reply: alignment })], yes: true })
    expect((await plan.settled()).status).toBe('done')
    const asked = plan.of('4').filter(({ kind }) => kind === 'align')
    expect(asked).toHaveLength(2)
    expect(asked[1]!.prompt).toContain('p2 is not placed; p4 is not placed')
    expect((await plan.phase('4')).convergence).toMatchObject([{ aligned: true }])
  })

  it.each([
    ['malformed twice', [align({ text: 'They agree.', repeat: true })]],
    ['failing', [align({ fail: 'unavailable', repeat: true })]],
    ['a rehearsal without such a line', []],
  ])('[CV7] are compared as text if the ask is %s', async (_, lines) => {
    const plan = await startPlan({ lines: [...team, ...lines] })
    expect((await plan.settled()).status).toBe('done')
    const [measured] = (await plan.phase('4')).convergence
    expect(measured).toMatchObject({ aligned: false, stands: expect.arrayContaining([]) })
    expect(measured!.stands.map(({ kind }) => kind)).toEqual(['alone', 'alone', 'alone', 'alone', 'alone'])
  })

  it('[CV7] in the same words need no ask, and complementary lenses are not measured', async () => {
    const plan = await startPlan({
      lines: ['qa-strategist', 'qa-security'].map((role) =>
        part('7', role, { reply: view('However, I reject the rest.', role, 'What to test') }),
      ),
    })
    expect((await plan.settled()).status).toBe('done')
    expect(plan.asked.filter(({ kind }) => kind === 'align')).toEqual([])
    expect((await plan.phase('7')).convergence).toEqual([])
    // Positions that are not measured reach the coordinator in words.
    const heard = plan.of('7').find(({ prompt }) => prompt.includes('You coordinate this phase'))!
    expect(heard.prompt).toContain('Positions:\n- What to test → qa-strategist (0.9 sure)')
    expect(heard.prompt).toContain('- What to test → qa-security (0.9 sure)')
    expect((await plan.phase('4')).convergence).toMatchObject([{ verdict: 'high', aligned: false }])
  })

  it('[SG2] [CV7] a conflict that the person has settled is not asked again when the design is made anew', async () => {
    const sides = ['minimal', 'clean', 'pragmatic'].map((side) =>
      stated(side, [['Where do rows go', side === 'clean' ? 'a table' : 'files']]),
    )
    const red: Line = { when: { ask: 'review', phase: '6', attempt: 1 }, repeat: true, reply: vote(3, 'no limit') }
    const plan = await startPlan({ lines: [...sides, red] })
    expect((await plan.answering({ 'Where do rows go': 'files' })).status).toBe('done')
    expect((await plan.phase('4')).pass).toBe(2)
    expect(await plan.events('question.asked')).toHaveLength(1)
    expect(plan.of('4').at(-1)!.prompt).toContain('The person has decided:\n- Where do rows go → files')
  })

  it('[CV7] a matter that the person left to the agents in one phase is not asked again in another, in whatever words', async () => {
    const inResearch = (role: string, choice: string) =>
      part('2', role, { reply: view('Facts.', choice, 'Should the check be shared?') })
    const plan = await startPlan({
      lines: [
        inResearch('researcher-codebase', 'no'),
        inResearch('researcher-practice', 'yes'),
        inResearch('researcher-risk', 'no'),
        {
          when: { ask: 'align', phase: '2' },
          reply: {
            questions: [
              {
                question: 'Should the check be shared?',
                options: [
                  { choice: 'no', positions: ['p1', 'p3'] },
                  { choice: 'yes', positions: ['p2'] },
                ],
              },
            ],
            alone: [],
          },
        },
        ...team,
        align({
          reply: {
            ...alignment,
            questions: alignment.questions.map((one, at) => (at === 0 ? { ...one, settled_by: 's1' } : one)),
          },
        }),
      ],
    })
    expect((await plan.answering({ 'Should the check be shared?': 'let the coordinator decide' })).status).toBe('done')
    expect(await plan.events('question.asked')).toHaveLength(1)
    const asked = plan.of('4').find(({ kind }) => kind === 'align')!
    expect(asked.prompt).toContain('- s1: Should the check be shared? → the person left it to the agents')
    expect(plan.of('4').at(-1)!.prompt).toContain(
      'Settled before, and not asked again:\n- Where are rows stored? → the person left it to you',
    )
  })
})
