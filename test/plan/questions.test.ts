/** A plan's questions: answered by the command, by a file, over HTTP, or not at all. */
import { describe, expect, it } from 'vitest'
import { questionBank } from '../../src/rules/plan/question-bank.ts'
import { runResident } from '../support/resident-command.ts'
import {
  convene,
  eventsOf,
  type Line,
  Plan,
  planFolder,
  restart,
  scored,
  startPlan,
  synthesis,
  writeInto,
} from './project.ts'

const goal = 'Turn a file of rows into a report'
/** Unclear once; clear as soon as the person's words are in the prompt. */
const unclear: Line[] = [
  { when: { ask: 'phase', phase: '3', round: 1 }, repeat: true, reply: scored({ scope: 0, value: 1 }) },
  {
    when: { ask: 'phase', phase: '3', contains: 'only the totals' },
    repeat: true,
    reply: { ...scored({ value: 1 }), answered: [{ question: 'Q2-1', by: 'P3-2' }] },
  },
]
/** A question that an answer to another one settles in passing. */
const minor: Line = {
  when: { ask: 'phase', phase: '2', contains: synthesis },
  reply: {
    artefact: 'x',
    summary: 'y',
    open_questions: [{ question: 'Does the report list each row?', priority: 'LOW' }],
  },
}

describe('questions of a plan', () => {
  it('[SG2] [PH3] without a terminal: exits with 3 and all questions of a round, parked; the command answers and resumes', async () => {
    const folder = planFolder({ lines: [minor, ...unclear] })
    const asked = await convene(folder, 'plan', goal)
    expect(asked.code, asked.stderr).toBe(3)
    expect(asked.report).toMatchObject({ status: 'waiting' })
    expect(asked.report.questions).toHaveLength(3)
    expect(asked.report.questions![0]).toMatchObject({ context: { phase: '3', dimension: 'scope', score: 7 } })
    const plan = new Plan(folder, asked.report.plan)
    expect(plan.summary('3')).toMatchObject({
      status: 'needs-user-input',
      block_reason: asked.report.questions!.map(({ text }) => text).join('\n'),
    })
    // Resuming with open questions loses nothing.
    const waiting = await convene(folder, 'resume', asked.report.run)
    expect([waiting.code, waiting.report.questions?.length]).toEqual([3, 3])
    const status = await runResident(['status'], { cwd: folder })
    expect(status.stdout).toBe(`plan ${asked.report.plan} waits for your answer to 3 questions: convene questions\n`)
    const listed = await runResident(['questions'], { cwd: folder })
    for (const { id, text } of asked.report.questions!) {
      expect(listed.stdout).toContain(`${text}\n  convene answer ${id.slice(0, 8)} "…"`)
      // The beginning of an id is enough.
      expect((await runResident(['answer', id.slice(0, 8), 'only the totals'], { cwd: folder })).code).toBe(0)
    }
    const resumed = await convene(folder, 'resume', asked.report.run)
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(asked.stderr).toMatch(/^phase 2 /m)
    expect(resumed.stderr).toMatch(/^continuing after: your answer in phase 3 \(clarification\)$/m)
    expect(resumed.stderr).toMatch(/^phase 4 /m)
    expect(resumed.stderr).not.toMatch(/^phase 2 |asks you/m)
    expect(plan.read('spec.md').match(/only the totals/g)).toHaveLength(3)
    expect(plan.summary('3')).toMatchObject({ status: 'completed', specify_score: 9 })
    expect(plan.summary('3').key_decisions.map(({ resolves }) => resolves)).toEqual([undefined, ['Q2-1'], undefined])
    expect(plan.read('research.md')).toContain('- **Q2-1**: Does the report list each row? → **P3-2**')
    expect((await convene(folder, 'resume', asked.report.run)).code).toBe(0)
  })

  it('[PH3] keeps the lines of a multi-line answer in the artefacts, as a quote', async () => {
    const plan = await startPlan({ lines: unclear })
    const { questions } = await plan.settled()
    const answer = 'only the totals:\n## per month\n\n```\nper year'
    await plan.answer(questions![0]!, answer)
    for (const question of questions!.slice(1)) await plan.answer(question, 'only the totals')
    expect((await plan.settled()).status).toBe('done')
    // The scorer can name the answer that settles an open question.
    expect(plan.of('3').at(-1)!.prompt).toContain(`- P3-2: ${questions![1]!.text}`)
    const quote = '\n  > only the totals:\n  > ## per month\n  >\n  > ```\n  > per year\n'
    expect(plan.files.read('spec.md')).toContain(`**${questions![0]!.text}**${quote}- **`)
    expect(plan.files.read('clarification.md')).toContain(`**${questions![0]!.text}**${quote}- **`)
    expect(plan.files.summary('3').key_decisions[0]!.decision).toBe(`${questions![0]!.text.slice(0, -1)}:\n${answer}`)
  })

  it('[CX2] an answer that settles nothing closes its question and is no decision, in the plan and for builders', async () => {
    const question = 'Which time zone do the rows use?'
    const research: Line = {
      when: { ask: 'phase', phase: '2', contains: synthesis },
      reply: { artefact: 'x', open_questions: [{ question, priority: 'HIGH' }] },
    }
    const plan = await startPlan({ lines: [research] })
    const { questions } = await plan.settled()
    expect(questions!.map(({ text }) => text)).toEqual([question])
    await plan.answer(questions![0]!, 'No preference. Readers pick theirs.')
    expect((await plan.settled()).status).toBe('done')
    expect(plan.files.summary('3')).toMatchObject({
      key_decisions: [],
      closed_questions: [{ question, resolves: ['Q2-1'] }],
    })
    expect(plan.of('4')[0]!.system).not.toContain('time zone')
    expect(plan.files.read('spec.md')).toContain(
      `**${question}** No preference. Readers pick theirs. _(left to the team)_`,
    )
    expect(plan.files.read('research.md')).toContain(`- **Q2-1**: ${question} → left to the team`)
    for (const file of ['plan.md', 'issues.json']) expect(plan.files.read(file)).not.toContain('No preference')
  })

  it('[SG2] --answers: the first matching answer applies, and no question is left', async () => {
    const folder = planFolder({ lines: unclear })
    writeInto(folder, { 'answers.yaml': '- { match: "", answer: 1 }\n' })
    const empty = await convene(folder, 'plan', goal, '--answers', 'answers.yaml')
    expect([empty.code, empty.report.error!.path]).toEqual([2, '0.match'])
    const answers = [
      { match: 'ONLY ONE SLICE', answer: 'only the totals' },
      { match: 'leave out', answer: 'charts' },
      { match: 'slice', answer: 'never used' },
      { match: 'stay exactly', answer: 'yes' },
    ]
    writeInto(folder, { 'answers.yaml': JSON.stringify(answers) })
    const planned = await convene(folder, 'plan', goal, '--answers', 'answers.yaml')
    expect(planned.code, planned.stderr).toBe(0)
    const spec = new Plan(folder, planned.report.plan).read('spec.md')
    for (const answer of ['only the totals', 'charts', 'yes']) expect(spec).toContain(`?** ${answer}`)
    expect(spec).not.toContain('never used')
  })

  it('[SG2] --yes: one round of assumptions, listed in the tasks, in the specification and in the result', async () => {
    const folder = planFolder({
      lines: [{ when: { ask: 'phase', phase: '3' }, repeat: true, reply: scored({ scope: 0, value: 1 }) }],
    })
    const planned = await convene(folder, 'plan', goal, '--yes')
    expect(planned.code, planned.stderr).toBe(0)
    expect(planned.report.assumptions).toHaveLength(3)
    const plan = new Plan(folder, planned.report.plan)
    const [, assumed] = plan.read('tasks.md').split('## Assumptions\n')
    expect(assumed!.trim().split('\n')).toEqual(planned.report.assumptions!.map((one) => `- ${one}`))
    expect(plan.read('spec.md')).toContain('_(assumed)_')
    expect(plan.summary('3')).toMatchObject({ flags: ['specify_not_passed'], key_decisions: [] })
    // Assumptions add nothing that a second score could count.
    expect((await eventsOf(folder)).filter(({ type }) => type === 'specify.scored')).toHaveLength(1)
    const shown = await runResident(['plan', goal, '--yes', '--mode', 'standard'], { cwd: folder })
    expect(shown.stdout).toContain('3 assumptions are listed in tasks.md')
    expect(shown.stderr).toContain('assumed: If only one slice could ship')
  })

  it('[PH3] over HTTP: rejects an unknown question, and resumes once after a valid answer', async () => {
    const plan = await startPlan({ lines: unclear })
    const { questions } = await plan.settled()
    const { call } = plan.served
    expect((await call('GET', '/api/questions')).body).toEqual({ questions })
    expect((await call('POST', '/api/questions/nope/answer', { text: 'x' })).status).toBe(404)
    expect((await call('POST', `/api/questions/${questions![0]!.id}/answer`, { text: ' ' })).status).toBe(400)
    for (const { id } of questions!)
      expect((await call('POST', `/api/questions/${id}/answer`, { text: 'only the totals' })).status).toBe(202)
    expect((await plan.settled()).status).toBe('done')
    expect((await call('POST', `/api/questions/${questions![0]!.id}/answer`, { text: 'late' })).status).toBe(409)
  })

  it('[PH5] answered while no process works on it: the plan continues on resume and asks nothing twice', async () => {
    const plan = await startPlan({ lines: unclear })
    const { questions } = await plan.settled()
    await plan.answer(questions![0]!, 'only the totals')
    const again = await restart(plan)
    for (const question of questions!.slice(1)) await again.answer(question, 'only the totals')
    expect((await again.settled()).status).toBe('done')
    expect((await again.events('question.asked')).map(({ data }) => data.id)).toEqual(questions!.map(({ id }) => id))
    expect(again.of('2')).toEqual([])
  })

  it('[SG2] the design waits for a HIGH question although the gate passes; what the person leaves open is listed', async () => {
    const raised = (phase: string, question: string): Line => ({
      when: { ask: 'phase', phase, contains: synthesis },
      reply: {
        artefact: {
          '2': 'x',
          '4': '## Approach\n\nx\n\n## Interfaces\n\n```ts\nread(path: string): Row[]\n```\n\n## Order of work\n\ny',
          '7': '## Tests by criterion\n\n| T1 | reads | unit |\n\n## Edge cases\n\nz',
        }[phase],
        summary: 'In short.',
        open_questions: [
          { question, priority: phase === '7' ? 'LOW' : 'HIGH' },
          { question: `A patch or a minor release, after phase ${phase}?`, priority: phase === '7' ? 'LOW' : 'MEDIUM' },
          { question: `Which colour has phase ${phase}?`, priority: 'LOW' },
        ],
        ...(phase === '4'
          ? {
              key_decisions: [
                { decision: 'A patch', rationale: 'small', confidence: 'MEDIUM', resolves: ['Q2-2'] },
                { decision: 'One file', rationale: 'enough', confidence: 'LOW' },
              ],
              risks_identified: [{ risk: 'Readers differ', severity: 'MAJOR', mitigation: 'ask them' }],
            }
          : {}),
      },
    })
    const plan = await startPlan({
      mode: 'rapid',
      lines: [
        raised('2', 'Which time zone do the rows use?'),
        raised('4', 'Who reads the report?'),
        raised('7', 'How long may a test take?'),
      ],
    })
    expect((await plan.settled()).questions).toMatchObject([{ text: 'Which time zone do the rows use?' }])
    expect(plan.of('4')).toEqual([])
    const left = ['Q4-1: Who reads the report?', 'Q4-2: A patch or a minor release, after phase 4?']
    const answers = { 'time zone': 'UTC', 'reads the report': 'leave it open' }
    expect(await plan.answering(answers)).toMatchObject({ status: 'done', open_questions: left })
    expect(await plan.events('question.asked')).toHaveLength(2)
    expect(plan.files.read('spec.md')).toContain('**Which time zone do the rows use?** UTC')
    const open = [
      '- **Q4-1** (phase 4, HIGH): Who reads the report?',
      '- **Q4-2** (phase 4, MEDIUM): A patch or a minor release, after phase 4?',
    ].join('\n')
    expect(plan.files.read('tasks.md')).toContain(`## Questions still open\n\n${open}`)
    // PH6: what a lead signs: everything that stands, from every phase.
    const short = plan.files.read('plan.md')
    expect(short).toMatch(/^# Plan\n\n## Request\n\n> Turn a file into a report\n\n## Outcome\n\nIn short\.\n/)
    expect(short).toContain('2 issues to build; 2 questions open.\n\n## Open questions')
    expect(short.match(/^## .*/gm)).toEqual(
      [
        'Request',
        'Outcome',
        'Open questions',
        'Decided by you',
        'Decisions',
        'Issues in order',
        'Interfaces',
        'Tests',
        'Risks',
      ].map((title) => `## ${title}`),
    )
    expect(short).toContain(
      [
        '## Issues in order\n',
        '- **#1 Read the file** (small): built as `src/read.js`, tested in `test/read.test.js`\n  - reads: A file of three lines gives three rows',
        '- **#2 Write the report** (medium, after #1): built as ',
      ].join('\n'),
    )
    expect(short).toContain(
      '## Interfaces\n\n```ts\nread(path: string): Row[]\n```\n\n## Tests\n\n| T1 | reads | unit |\n\n##',
    )
    expect(short).toContain('## Decided by you\n\n- **P3-1** (phase 3): Which time zone do the rows use? → UTC')
    expect(short).toContain(
      '- **D4-1** (phase 4, MEDIUM): A patch — small\n- **D4-2** (phase 4, LOW): One file — enough',
    )
    expect(short).toContain('## Risks\n\n- **R4-1** (phase 4, MAJOR): Readers differ → ask them')
    expect(short).toContain(`## Open questions\n\n${open}`)
    const research = plan.files.read('research.md')
    expect(research).toContain('## Open questions\n\n- **Q2-3** (LOW): Which colour has phase 2?\n\n')
    expect(research).toContain('- **Q2-2**: A patch or a minor release, after phase 2? → **D4-1**: A patch')
  })

  describe('HIGH questions that come up after the design', () => {
    const raises = (phase: string, ...questions: string[]): Line => ({
      when: { ask: 'phase', phase, contains: synthesis },
      reply: {
        artefact: 'x',
        summary: 'In short.',
        open_questions: questions.map((question) => ({ question, priority: 'HIGH' })),
      },
    })
    const lines = [
      raises('4', 'Who reads the report?', 'May an empty file give an error?'),
      raises('7', 'Should an empty file give an error?'),
    ]

    it('[SG2] are asked together before the issues, each once; every later prompt has the answers', async () => {
      const plan = await startPlan({ lines })
      const { questions } = await plan.settled()
      expect(questions).toMatchObject([
        { text: 'Who reads the report?', choices: ['leave it open'], context: { phase: '9' } },
        { text: 'May an empty file give an error?' },
      ])
      expect(questions![0]!.context.detail).toMatch(/^Came up in phase 4 \(architecture\)/)
      expect(plan.of('9')).toEqual([])
      await plan.answer(questions![0]!, 'the accountants')
      await plan.answer(questions![1]!, 'no, an empty report')
      expect(await plan.settled()).toMatchObject({ status: 'done', open_questions: [] })
      expect(await plan.events('question.asked')).toHaveLength(2)
      for (const { system } of plan.of('9')) expect(system).toContain('Who reads the report: the accountants')
      expect(plan.files.summary('9').key_decisions).toMatchObject([
        { id: 'P9-1', resolves: ['Q4-1'] },
        { id: 'P9-2', resolves: ['Q4-2', 'Q7-1'] },
      ])
      expect(plan.files.read('plan.md')).toContain('May an empty file give an error? → no, an empty report')
    })

    it('[SG2] the answers file answers them; with --yes they stay open and are listed', async () => {
      const folder = planFolder({ lines })
      writeInto(folder, { 'answers.yaml': JSON.stringify([{ match: 'reads the report', answer: 'the accountants' }]) })
      const planned = await convene(folder, 'plan', goal, '--yes', '--answers', 'answers.yaml')
      expect(planned.code, planned.stderr).toBe(0)
      expect(planned.report).toMatchObject({
        open_questions: ['Q4-2: May an empty file give an error?', 'Q7-1: Should an empty file give an error?'],
        assumptions: ['May an empty file give an error? → left open; the plan keeps to its design'],
      })
    })

    it('[PH3] are numbered in the terminal', async () => {
      const folder = planFolder({ lines })
      const asked = await runResident(['plan', goal], { cwd: folder })
      expect(asked.code, asked.stderr).toBe(3)
      expect(asked.stdout).toContain('(1 of 2) Who reads the report?')
      expect(asked.stdout).toContain('(2 of 2) May an empty file give an error?')
    })
  })

  it("[SG2] puts the bank's questions in the project's own terms, and none twice", async () => {
    const own = { scope: ['Does `read` keep returning rows?', 'May src/read.js change?'] }
    const plan = await startPlan({
      lines: [
        {
          when: { ask: 'phase', phase: '3' },
          repeat: true,
          reply: { ...scored({ scope: 1, constraints: 1, risk: 1 }), questions: own },
        },
      ],
    })
    const texts = async () => (await plan.settled()).questions?.map(({ text }) => text)
    expect(await texts()).toEqual(own.scope)
    for (const question of (await plan.settled()).questions!) await plan.answer(question, 'yes')
    await expect.poll(texts).toEqual(questionBank.constraints.slice(0, 2))
  })

  it('[SG2] asks the HIGH open question of research first and once; the answer resolves it', async () => {
    const question = 'Which time zone do the rows use?'
    const research: Line = {
      when: { ask: 'phase', phase: '2', contains: synthesis },
      reply: { artefact: 'x', open_questions: [{ question, priority: 'HIGH' }] },
    }
    const plan = await startPlan({ lines: [research, ...unclear] })
    const { questions } = await plan.settled()
    expect(questions![0]!.text).toBe(question)
    expect(questions).toHaveLength(4)
    await plan.answer(questions![0]!, 'UTC')
    for (const one of questions!.slice(1)) await plan.answer(one, 'only the totals')
    expect((await plan.settled()).status).toBe('done')
    expect(plan.files.summary('3').key_decisions[0]).toMatchObject({
      decision: 'Which time zone do the rows use: UTC',
      resolves: ['Q2-1'],
    })
    const { system } = plan.of('4')[0]!
    expect(system).toContain('Which time zone do the rows use: UTC')
    expect(system).not.toMatch(/^- Q2-1/m)
    expect((await plan.events('question.asked')).filter(({ data }) => data.text === question)).toHaveLength(1)
  })
})
