/** What a plan carries from phase to phase and to its builders: ids, decisions, context. */
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { splitFrontMatter } from '../../src/plan/artefacts.ts'
import { specSchema } from '../../src/rules/build/spec.ts'
import { type Line, scored, startPlan, synthesis } from './project.ts'

const minor = (title: string) => ({ severity: 'MINOR', confidence: 85, title })
const decided = (phase: string, values: object): Line => ({
  when: { ask: 'phase', phase, contains: synthesis },
  reply: { artefact: '## Approach\n\nRead.\n\n```mermaid\ngraph LR\n  a --> b\n```', summary: 'Read.', ...values },
})

describe('what a plan carries', () => {
  it('[CX2] numbers decisions itself, follows the names that agents use, and names both sides of a replacement', async () => {
    const plan = await startPlan({
      lines: [
        decided('4', {
          key_decisions: [{ id: 'DB-1', decision: 'Rows go to a file', confidence: 'HIGH' }, 'No cache'],
        }),
        decided('7', {
          key_decisions: [
            { id: 'T1', decision: 'Rows go to a table', confidence: 'HIGH', supersedes: ['DB-1'] },
            { decision: 'Tests run in memory', confidence: 'LOW', supersedes: ['DB-7'] },
            { because: 'of speed' },
          ],
        }),
      ],
    })
    expect((await plan.settled()).status).toBe('done')
    // Only what holds is listed as decided, in the summary and in its document.
    expect(plan.files.summary('4')).toMatchObject({
      key_decisions: [{ id: 'D4-2', decision: 'No cache', confidence: 'MEDIUM' }],
      replaced_decisions: [{ id: 'D4-1', called: 'DB-1', by: 'D7-1' }],
    })
    expect(plan.files.front('design.md')).toMatchObject({ key_decisions: [{ id: 'D4-2' }] })
    const { text: design } = splitFrontMatter(plan.files.read('design.md'))
    expect(design).toContain('- **D4-1** → **D7-1**: Rows go to a table')
    expect(design).not.toContain('Rows go to a file')
    expect(plan.of('6')[0]!.system).toContain('- D4-1 (phase 4, HIGH): Rows go to a file')
    expect(plan.files.summary('7').key_decisions[0]).toMatchObject({ id: 'D7-1', supersedes: ['D4-1'] })
    const page = plan.files.read('test-plan.md')
    expect(page).toContain('**D7-1** (HIGH, instead of D4-1 “Rows go to a file”): Rows go to a table')
    expect(page).toContain('- D7-2 supersedes “DB-7”')
    expect(page).toContain('- decision: {"because":"of speed"}')
    expect(plan.files.summary('7').flags).toEqual(expect.arrayContaining(['unknown_reference', 'unread_items']))
    const { decisions } = await plan.view()
    expect(decisions.find(({ decision }) => decision.id === 'D4-1')).toMatchObject({ supersededBy: 'D7-1' })
    expect(plan.of('9')[0]!.system).not.toContain('Rows go to a file')
  })

  it('[CX2] [CX4] no prompt says a thing twice, and each shows only the form of reply that is wanted', async () => {
    const goal = 'Turn a file of rows into a report of its totals'
    const answer = 'only the totals, nothing else'
    const plan = await startPlan({
      goal,
      lines: [
        { when: { ask: 'phase', phase: '3', round: 1 }, reply: scored({ scope: 0, value: 1 }) },
        decided('4', {
          key_decisions: [{ decision: 'Rows are read one by one', confidence: 'HIGH' }],
          risks_identified: [{ risk: 'A row may be huge', severity: 'MAJOR', mitigation: 'a limit' }],
        }),
      ],
      answers: [{ match: '?', answer }],
    })
    expect((await plan.settled()).status).toBe('done')
    const count = (text: string, part: string) => text.split(part).length - 1
    for (const { phase, system, prompt } of plan.asked) {
      expect([phase, count(system, goal), count(system, 'tracked files')]).toEqual([phase, 1, 1])
      expect([phase, count(prompt, 'As JSON: ')]).toEqual([phase, 1])
      expect(system).not.toMatch(/^---$|"points": number|<sub>/m)
    }
    for (const phase of ['6', '6b', '7', '8', '9']) {
      const { system } = plan.of(phase)[0]!
      const asked = count(system, 'P3-') // one line an answer
      expect([phase, asked, count(system, answer)]).toEqual([phase, 3, 3])
      expect([phase, count(system, 'Rows are read one by one')]).toEqual([phase, 1])
      expect([phase, count(system, 'A row may be huge')]).toEqual([phase, 1])
    }
  })

  it("[CX2] a person's answer reaches the last phase, however small the budget", async () => {
    const answer = 'only the totals, nothing else'
    const plan = await startPlan({
      plan: { state: { context_protocol: { decision_propagation: { max_accumulated_tokens: 50 } } } },
      lines: [{ when: { ask: 'phase', phase: '3', round: 1 }, reply: scored({ scope: 0, value: 1 }) }],
      answers: [{ match: '?', answer }],
    })
    expect((await plan.settled()).status).toBe('done')
    expect(plan.of('9')[0]!.system).toContain(`: ${answer}\n`)
    expect(plan.files.summary('9').flags).toContain('context_cut')
  })

  it("[CX2] a rapid plan carries the person's answers, HIGH decisions and MAJOR risks too", async () => {
    const question = 'Which columns does the report have?'
    const plan = await startPlan({
      mode: 'rapid',
      lines: [
        decided('2', { open_questions: [{ question, priority: 'HIGH' }] }),
        decided('4', {
          key_decisions: [{ decision: 'Rows are read one by one', confidence: 'HIGH' }],
          risks_identified: [{ risk: 'A row may be huge', severity: 'MAJOR', mitigation: 'a limit' }],
        }),
      ],
      answers: [{ match: 'Which columns', answer: 'name and total' }],
    })
    expect((await plan.settled()).status).toBe('done')
    for (const phase of ['7', '9']) {
      const [read, context] = plan.of(phase)[0]!.system.split('## Accumulated context')
      expect(context).toContain('P3-1 (phase 3, HIGH): Which columns does the report have: name and total')
      expect(context).toContain('D4-1 (phase 4, HIGH): Rows are read one by one')
      expect(context).toContain('R4-1 (phase 4, MAJOR): A row may be huge → a limit')
      for (const once of ['name and total', 'Rows are read one by one', 'A row may be huge'])
        expect(read).not.toContain(once)
    }
  })

  it('[PH6] phase 9 reads the whole plan, and issue and spec carry what their builder needs', async () => {
    const issue = {
      number: 1,
      title: 'Read the file',
      body: 'Reads it.',
      acceptance_criteria: [
        { id: 'reads', text: 'Three lines give three rows', kind: 'new' },
        { id: 'empty', text: 'An empty file gives no rows', kind: 'keep' },
      ],
      target_path: 'src/read.js',
      test_path: 'test/read.test.js',
      files: ['src/read.js', 'src/rows.js'],
      decisions: ['FORMAT', 'D9-9'],
      interface: 'read(path: string): Row[]',
      tests: ['T1 unit: three lines'],
    }
    const plan = await startPlan({
      lines: [
        decided('4', {
          artefact: '## Approach\n\nOne reader for all formats.',
          key_decisions: [
            { id: 'FORMAT', decision: 'Rows are UTF-8', rationale: 'the files are', confidence: 'MEDIUM' },
          ],
        }),
        decided('7', { artefact: '## Tests by criterion\n\nT1 unit: three lines.', key_decisions: [] }),
        { when: { ask: 'review', phase: '6b' }, repeat: true, reply: { findings: [minor('A long name')] } },
        // The second reply corrects nothing: then the unknown id is flagged.
        { when: { ask: 'phase', phase: '9' }, repeat: true, reply: { issues: [issue] } },
      ],
    })
    expect((await plan.settled()).status).toBe('done')
    expect(plan.of('9').at(-1)!.prompt).toContain('These do not exist: decision D9-9. The plan has: D2-1, D4-1, T1.')
    const { system } = plan.of('9')[0]!
    expect(plan.of('9').at(-1)!.prompt).toContain('under 500 changed lines')
    for (const part of ['Read, then write.', 'One reader for all formats.', 'A long name', 'T1 unit: three lines.'])
      expect(system).toContain(part)
    const context = [
      'Decisions to follow:\n- D2-1: Reading comes first (writing needs it)\n- D4-1: Rows are UTF-8 (the files are)',
      'Interface:\n```\nread(path: string): Row[]\n```',
      'Tests that the plan asks for:\n- T1 unit: three lines',
      'Files it reads or changes:\n- src/read.js\n- src/rows.js',
    ].join('\n\n')
    const { feature, issues } = JSON.parse(plan.files.read('issues.json'))
    expect(issues[0]).toMatchObject({
      context,
      decisions: ['D2-1', 'D4-1'],
      acceptance_criteria: [{ kind: 'new' }, { kind: 'keep' }],
    })
    const spec = specSchema.parse(parse(plan.files.read(`specs/${feature}-1.yaml`)))
    expect(spec).toMatchObject({ context, acceptanceCriteria: [{ kind: 'new' }, { id: 'empty', kind: 'keep' }] })
    expect(plan.files.read('tasks.md')).toContain('- [ ] **empty** (keep): An empty file gives no rows')
    expect(plan.files.summary('9').flags).toContain('unknown_reference')
  })

  it('[PH6] a list that names a test which the plan does not have is sent back once', async () => {
    const plan = await startPlan({
      lines: [
        decided('7', { artefact: '## Tests by criterion\n\n- T1 unit: three lines', key_decisions: [] }),
        { when: { ask: 'phase', phase: '9', round: 1 }, reply: { issues: [issueWith(['T7 unit: three lines'])] } },
        { when: { ask: 'phase', phase: '9', round: 2 }, reply: { issues: [issueWith(['T1'])] } },
      ],
    })
    expect((await plan.settled()).status).toBe('done')
    const [, second, ...others] = plan.of('9').filter(({ kind }) => kind === 'phase')
    expect(others).toEqual([])
    expect(second!.prompt).toContain('These do not exist: test T7.')
    expect(second!.prompt).toContain('### What you wrote before')
    const { feature, issues } = JSON.parse(plan.files.read('issues.json'))
    // The builder gets the words of the row, not its id alone.
    expect(issues[0].context).toContain('- T1 unit: three lines')
    expect(parse(plan.files.read(`specs/${feature}-1.yaml`)).context).toContain('- T1 unit: three lines')
    expect(plan.files.summary('9').flags).toEqual([])
  })

  it('[PH6] a list that forgets a row of the test plan is sent back once', async () => {
    const plan = await startPlan({
      lines: [
        decided('7', { artefact: '- T1 unit: three lines\n- T2 types: a row is typed', key_decisions: [] }),
        { when: { ask: 'phase', phase: '9', round: 1 }, reply: { issues: [issueWith(['T1']), other] } },
        { when: { ask: 'phase', phase: '9', round: 2 }, reply: { issues: [issueWith(['T1', 'T2']), other] } },
      ],
    })
    expect((await plan.settled()).status).toBe('done')
    const [, second] = plan.of('9').filter(({ kind }) => kind === 'phase')
    expect(second!.prompt).toContain('No issue has these rows of the test plan: T2.')
    expect(JSON.parse(plan.files.read('issues.json')).issues[0].context).toContain('- T2 types: a row is typed')
  })
})

const other = {
  number: 2,
  title: 'Print the rows',
  test_path: 'test/print.test.js',
  acceptance_criteria: [{ id: 'prints', text: 'Rows are printed' }],
}

const issueWith = (tests: string[]) => ({
  number: 1,
  title: 'Read the file',
  test_path: 'test/read.test.js',
  acceptance_criteria: [{ id: 'reads', text: 'Three lines give three rows' }],
  tests,
})
