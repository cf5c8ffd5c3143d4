import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPrompts, type PromptName, templates } from './prompts.ts'

const prompts = createPrompts(join(import.meta.dirname, 'no-such-folder'))
const names = Object.keys(templates) as PromptName[]

const criterion = (id: string) => ({ id, text: `${id} works` })
const refusals = [
  { rule: 'VF4', text: 'src/a.ts: a test fails' },
  { rule: 'VF2', text: 'a test is green' },
]
const critiques = [
  { file: 'src/a.ts', line: 3, issue: 'no limit', requiredFix: 'add one' },
  { file: 'src/b.ts', issue: 'no name' },
]

/** The values that callers always pass; optional ones are in `sometimes`. */
const always = {
  spec: {
    id: 'parser',
    description: 'Reads rows.',
    acceptanceCriteria: [criterion('one'), criterion('two')],
    targetPath: 'src/parser.ts',
    testPath: 'test/parser.test.ts',
  },
  scaffold: { interfaceFile: 'src/types.ts', contractSuite: 'test/contract.test.ts' },
  child: { id: 'scanner', description: 'Reads characters.', acceptanceCriteria: [criterion('three')] },
  event: { author: 'writer', impactLevel: 'breaking', changes: [] as unknown[] },
  commands: {} as Record<string, string>,
  commit: 'a1b2c3',
  diff: 'diff --git a/x b/x\n+added\n',
  details: 'the build fails',
  failure: 'it was stuck',
  depthLeft: 1,
  attempt: 1,
  attempts: 5,
  name: 'gpt',
  from: 'claude',
  kind: 'question',
  depth: 1,
  max_depth: 6,
  content: 'Which store?',
  message: 'Which store?',
  goal: 'Choose a store.',
  round: 2,
  max_rounds: 6,
  request: 'A store.',
  form: 'a view of your own',
  shape: '{"output": Markdown}',
  lens: 'looks for risks',
  task: 'Say why.',
  plan: [],
  keep: [],
  passed: [],
  exits: ['TestsPassed', 'Stuck'],
  others: [] as string[],
  agents: ['gpt', 'claude'],
  lines: [],
  material: [],
  acceptance: ['it is short'],
}

const sometimes: Record<string, unknown> = {
  spec: {
    ...always.spec,
    complexityConstraints: { time: 'O(n)', space: 'O(1)' },
    context: 'Decisions to follow:\n- D4-1: Rows are UTF-8',
  },
  event: {
    ...always.event,
    changes: [
      { symbol: 'read', changeType: 'renamed', reason: 'clearer' },
      { symbol: 'scan', changeType: 'removed', reason: 'unused' },
    ],
  },
  commands: { build: 'make', test: 'make test' },
  failing: [
    { command: 'xo', exitCode: 1, said: ['src/a.ts:1 no (semi)', 'src/b.ts:2 no (semi)'], more: 3 },
    { command: 'tsd', exitCode: 2, said: [], more: 0 },
  ],
  testFiles: ['test/a.test.ts', 'test/b.test.ts'],
  criteria: ['one', 'two'],
  takenOver: ['three'],
  children: [
    { id: 'scanner', symbols: ['scan', 'peek'] },
    { id: 'writer', symbols: [] },
  ],
  critiques,
  plan: [
    { criterionId: 'one', plannedTestName: 'reads a row', approach: 'call it' },
    { criterionId: 'two', plannedTestName: 'reads none', approach: 'call it with nothing' },
  ],
  covered: ['zero'],
  unreliable: ['"reads a file" (test/a.test.ts)'],
  keep: ['two'],
  alone: true,
  additional: [{ criterionId: 'one', plannedTestName: 'reads a quote', approach: 'call it' }],
  kept: [{ criterionId: 'two', reason: 'it was there' }],
  reviewed: [
    { id: 'one', text: 'one works' },
    { id: 'two', text: 'two works', reason: 'prose' },
  ],
  answers: ['A person was asked: "Which?" The answer: "Rows."'],
  asked: ['src/a.ts: no limit → add one', 'a test for one: reads a quote'],
  newAnswers: ['A person was asked: "How many?" The answer: "Two."'],
  earlier: 2,
  passed: ['reads a row', 'reads none'],
  passedBefore: ['reads none'],
  changedTests: ['reads a file'],
  noticed: 2,
  examples: [
    { criterionId: 'one', example: '"10"' },
    { criterionId: 'two', example: 'read()' },
  ],
  untried: 'the test command runs everything',
  unnoticed: [
    { file: 'src/a.ts', line: 3, change: '`<` became `<=`' },
    { file: 'src/b.ts', line: 4, change: 'the branch on `row` is never taken' },
  ],
  diffCut: true,
  parent: { id: 'table', interface: 'src/table.ts', assignedCriteria: 'one, two' },
  depthLeft: 0,
  failingTests: ['reads a row'],
  conflicts: ['src/a.ts', 'src/b.ts'],
  knowledge: 'Use tabs.',
  attempt: 2,
  lastAttempt: true,
  refusals,
  reason: 'The last attempt did not work.',
  history: 'Attempt 1: guessed\n  → a test failed',
  seen: '`make test`: exit code 1',
  putBack: ['test/a.test.ts'],
  known: true,
  told: true,
  guidance: 'Count from nought.',
  others: ['claude', 'gemini'],
  talk: 'you: Which store?\nclaude: SQLite.',
  summary: 'They chose a store.',
  lines: [
    { from: 'you', text: 'Which store?' },
    { from: 'claude', text: 'SQLite.' },
  ],
  room_note: '3 messages are not shown.',
  room_talk: [
    { from: 'you', text: 'Which store?' },
    { from: 'claude', text: 'SQLite.' },
  ],
  omitted: 2,
  topic: 'storage',
  expects_reply: true,
  coordination: 'You answer first.',
  topics: ['postgres', 'sqlite'],
  register: 'Stores.',
  transcript: [
    { from: 'claude', text: 'SQLite.' },
    { from: 'gemini', text: 'Postgres.' },
  ],
  facts: 'A Node project.',
  material: [
    { title: 'Research', text: 'Found.' },
    { title: 'Design', text: 'Drawn.' },
  ],
  accumulated: 'One decision.',
  role: 'judge',
  own: 'My view.',
  note: 'Be brief.',
  acceptance: ['it is short', 'it is true'],
}

const anyValues = fc
  .subarray(Object.keys(sometimes))
  .map((keys) => ({ ...always, ...Object.fromEntries(keys.map((key) => [key, sometimes[key]])) }))
/** Everything that a first task of a conversation can show. */
const everything = { ...always, ...sometimes, known: false, told: false }

describe('prompts', () => {
  it('[AS1] no prompt of an agent that may have tools asks for another form of reply than the tools do', () => {
    // With tools the reply goes to the tool `finish`; the sentence that says so is the only one about it.
    const withTools = ['builder', 'scaffold', 'write-tests', 'implement', 'review-impl', 'plan-task'] as const
    for (const name of [...withTools, 'turn', 'turn-question', 'agent-message'] as const)
      expect(prompts.render(name, always)).not.toMatch(/one JSON object|last message/i)
  })

  it.each(names)('%s keeps its lines apart, whatever its values', (name) => {
    const beginnings = lineBeginnings(templates[name])
    fc.assert(
      fc.property(anyValues, (values) => {
        const text = prompts.render(name, valuesFor(name, values))
        expect(text).not.toMatch(/\n{3}/)
        expect(text).toBe(text.trim())
        for (const beginning of beginnings) {
          for (const [before] of text.matchAll(new RegExp(`.?${escaped(beginning)}`, 'gs')))
            expect(before.replace(/^\n/, '')).toBe(beginning)
        }
      }),
    )
  })

  it.each([
    ['implement', ['- one: one works', '- two: two works', '- scanner: scan, peek', '- writer: no exports']],
    ['implement', ['- src/a.ts:3: no limit → add one', '- src/b.ts: no name', '- [VF4] src/a.ts: a test fails']],
    ['implement-alone', ['- one: one works', '- two: two works', '- [VF2] a test is green']],
    ['write-tests', ['- one: `reads a row` (call it)', '- two (keep): `reads none` (call it with nothing)']],
    ['review-impl', ['- `reads a row`', '- `reads none`', '```']],
    ['review-impl', ['- one: "10"', '- two: read()']],
    ['review-impl', ['- You check this one: one: one works', '- You check this one: two: two works (prose)']],
    ['review-impl', ['- A person was asked: "Which?" The answer: "Rows."']],
    [
      'implement',
      [
        'This is attempt 2 of 5 since a person answered, after 2 earlier. It is the last one: succeed, or say plainly why it cannot be done.',
      ],
    ],
    ['judge-child', ['- three: three works', '```']],
    ['child-failed', ['- three: three works']],
    ['rebase', ['- read (renamed): clearer', '- scan (removed): unused']],
    ['scaffold', ['- one: one works', '- two: two works']],
    ['builder', ['- build: `make`', '- tests: `make test`']],
    ['builder', ['- `xo`, exit code 1:', '  - src/b.ts:2 no (semi)', '  - and 3 more', '- `tsd`, exit code 2']],
    ['turn-question', ['[claude] SQLite.', '[gemini] Postgres.', 'Round 2 of 6.', 'Your task now: Say why.']],
    ['agent-message', ['Kind: question', 'Topic: storage', 'Message 1 of at most 6 in this thread.']],
    ['micro-proposal', ['Topics in the message: postgres, sqlite']],
    ['plan-task', ['- it is short', '- it is true', '### What you wrote before']],
    ['planner', ['## Research', '## Design', '## Facts about the project']],
  ] satisfies [PromptName, string[]][])('%s puts each item on its own line: %s', (name, lines) => {
    const shown = prompts.render(name, valuesFor(name, everything)).split('\n')
    for (const line of lines) expect(shown).toContain(line)
  })

  it.each([
    ['write-tests', { plan: [], covered: ['zero'] }, '- none beside those that exist'],
    ['write-tests', { plan: [], covered: [] }, '- none: every criterion is given to a part or to the reviewer'],
    ['review-impl', { passed: [] }, '- (no new test is known by its name; the test command ended without an error)'],
    ['rebase', { event: { author: 'writer', changes: [] } }, '- nothing that others can see by name'],
  ] satisfies [PromptName, object, string][])('%s says in words that a list is empty: %s', (name, empty, line) => {
    const shown = prompts.render(name, valuesFor(name, { ...everything, ...empty })).split('\n')
    expect(shown).toContain(line)
  })

  it('[GR6] adds nothing to what is said to the next attempt: it says itself who says it', () => {
    const guidance = 'Convene suggests: Count from nought.'
    for (const name of ['implement', 'follow-up'] as const)
      expect(prompts.render(name, { ...everything, guidance }).split('\n')).toContain(guidance)
  })

  it('[GR4] says that an attempt is one more where all are used, as an issue whose work came back has it', () => {
    const shown = prompts.render('implement', { ...everything, attempt: 6, earlier: 0 }).split('\n')
    const last = 'It is the last one: succeed, or say plainly why it cannot be done.'
    expect(shown).toContain(`All 5 attempts are used; since the work came back, you have one more. ${last}`)
  })

  it.each([
    [false, 'No new test noticed this; judge'],
    [true, 'The tests are weak: they noticed none of the changes'],
  ])('[VF12] review-impl says how many small changes the tests noticed (none: %s)', (none, words) => {
    const unnoticed = [{ file: 'src/a.ts', line: 3, change: '`<` became `<=`', ...(none ? { none } : {}) }]
    expect(prompts.render('review-impl', { ...everything, unnoticed })).toContain(words)
  })

  it.each([
    ['with everything', everything],
    ['with nothing decided', { ...everything, accumulated: '', acceptance: [] }],
  ])("[CX1] a plan's call has its four sections, %s", (_, values) => {
    const text = (['planner', 'plan-task'] as const)
      .map((name) => prompts.render(name, valuesFor(name, values)))
      .join('\n\n')
    const sections = ['Original request', 'Accumulated context', 'Current task', 'Acceptance criteria']
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
    expect(headings.filter((heading) => sections.includes(heading!))).toEqual(sections)
    expect(text).toContain(everything.request)
  })

  it.each(['spec', 'scaffold', 'implement', 'implement-alone', 'write-tests'] satisfies PromptName[])(
    '[PH6] %s carries what the plan hands to the builder, once',
    (name) => {
      const shown = prompts.render(name, valuesFor(name, everything))
      expect(shown.split('Context:\nDecisions to follow:\n- D4-1: Rows are UTF-8')).toHaveLength(2)
      const known = prompts.render(name, valuesFor(name, { ...everything, known: true }))
      if (name !== 'spec') expect(known).not.toContain('Rows are UTF-8')
    },
  )

  it('[PH6] the reviewer checks the code against the decisions of a spec with context', () => {
    const question = 'Does it follow the decisions of the context?'
    expect(prompts.render('review-impl', everything)).toContain(question)
    expect(prompts.render('review-impl', { ...everything, spec: always.spec })).not.toContain(question)
  })

  it('[VF8] a reviewer that begins a conversation is told everything that a person decided, else what is new', () => {
    const shown = (told: boolean) => prompts.render('review-impl', { ...everything, told })
    expect(shown(false)).toContain('The answer: "Rows."')
    expect(shown(true)).not.toContain('The answer: "Rows."')
    expect(shown(true)).toContain('The answer: "Two."')
    expect(prompts.render('review-impl', { ...everything, answers: [], newAnswers: [] })).not.toContain('has decided')
  })

  it('[GR9] a reviewer who approved before is not asked whether its request is done', () => {
    const shown = (asked: string[], overruled = false) =>
      prompts.render('review-impl', { ...everything, told: true, asked, overruled })
    expect(shown(['test three'])).toMatch(/The last review asked for this:\n- test three\n\nIs that done now/)
    expect(shown(['test three'], true)).toMatch(/Your approval did not count, and this was asked for:\n- test three\n/)
    expect(shown([])).toContain('\nDoes the code still meet each criterion? You change no files.')
    expect(shown([])).not.toMatch(/asked for|done now/)
  })

  it('[GR3] shows beside a review which of its tests passed at once, and what was said against it', () => {
    const values = { ...everything, told: true, asked: ['fix 2.5'], passedAtOnce: ['halves', 'thirds'] }
    const implement = prompts.render('implement', values)
    expect(implement).toContain(
      '\nThese tests that it asked for pass on the code as it is: `halves` `thirds`\nIf a point',
    )
    expect(prompts.render('implement', { ...everything, critiques: [], additional: [] })).not.toContain('objection')
    expect(prompts.render('review-impl', { ...values, objections: ['The implementer objects: It is 2.'] })).toContain(
      '- fix 2.5\nThese tests that it asked for passed at once, on the code that you saw: `halves` `thirds`\nThe implementer objects: It is 2.\n\nIs that done now',
    )
  })

  it('[GR3] shows the tests that a review asks for, also where it criticises nothing', () => {
    expect(prompts.render('implement-alone', { ...everything, critiques: [] })).toContain(
      '\nThe review asks for this:\n- a test for one: reads a quote (call it)\n',
    )
  })

  it('[VF3] [VF12] tells the reviewer of old tests that changed, and what the tests noticed', () => {
    const review = (values: object) => prompts.render('review-impl', { ...everything, unnoticed: [], ...values })
    expect(review({})).toContain('they still check all they did: `reads a file`\n')
    expect(review({ noticed: 3, untried: undefined })).toContain('The tests noticed 3 of 3 small changes of the code.')
    expect(review({ noticed: 0, untried: 'it does not build' })).toContain(
      'small changes of the code: it does not build.',
    )
  })

  it('[CX4] two tasks of a phase share everything before the task', () => {
    const [design, test] = ['Design it.', 'Test it.'].map((task) =>
      prompts.render('planner', valuesFor('planner', { ...everything, task })),
    )
    expect(design).toBe(test)
    expect(prompts.render('plan-task', valuesFor('plan-task', everything))).toMatch(/^## Current task/)
  })

  it.each(names.filter((name) => templates[name].includes('This is attempt')))(
    '[CX4] %s begins the same in every attempt and ends with what changes',
    (name) => {
      const again = {
        attempt: 2,
        lastAttempt: true,
        refusals,
        history: 'Attempt 1',
        seen: 'make',
        putBack: ['a'],
        reason: 'Why.',
        guidance: 'So.',
        unreliable: ['"reads a file"'],
      }
      const stable = {
        ...everything,
        earlier: 0,
        ...Object.fromEntries(Object.keys(again).map((key) => [key, undefined])),
      }
      const first = prompts.render(name, valuesFor(name, { ...stable, attempt: 1 }))
      const second = prompts.render(name, valuesFor(name, { ...stable, ...again }))
      const [shared, rest] = first.split('This is attempt 1 of 5.')
      expect(rest).toBe('')
      expect(second.startsWith(`${shared}This is attempt 2 of 5.`)).toBe(true)
      expect(shared).toContain('- {"')
    },
  )
})

/** Some templates use the same name for another kind of value. */
function valuesFor(name: PromptName, values: Record<string, unknown>): Record<string, unknown> {
  if (name === 'merge') return { ...values, parent: 'table' }
  if (name !== 'plan-task') return values
  return { ...values, others: (values.others as string[]).map((role) => ({ role, text: `${role} agrees.` })) }
}

/** The plain-text beginnings of a template's lines that are long enough to recognise. */
function lineBeginnings(template: string): string[] {
  const plain = template.split('\n').map((line) => line.split(/{[{%]/)[0]!)
  return [...new Set(plain)].filter((text) => text.length >= 8)
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
