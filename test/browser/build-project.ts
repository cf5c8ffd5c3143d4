/**
 * A repository with a rehearsed build that has everything a page can show: parts, refusals, a rebase and a question.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Spec } from '../../src/rules/build/spec.ts'

export const spec: Spec = {
  id: 'retry-policy',
  description: 'Decide whether and when a failed charge is tried again',
  acceptanceCriteria: [
    { id: 'waits', text: 'Waits 1 h, 6 h and 24 h, then gives up' },
    { id: 'kinds', text: 'A hard decline is never tried again' },
    { id: 'records', text: 'Every attempt is written down, newest last' },
    { id: 'decides', text: 'Says in one call whether to try again, and when' },
  ],
  targetPath: 'src/retry.ts',
  testPath: 'test/retry.test.ts',
}

/** One criterion, one file: small enough for one agent. */
export const smallSpec: Spec = {
  id: 'slug',
  description: 'Turn a title into a slug',
  acceptanceCriteria: [{ id: 'lower', text: 'Letters become lower case' }],
  targetPath: 'src/slug.ts',
  testPath: 'test/slug.test.ts',
}

export interface BuildProjectOptions {
  /** Delay of each agent, so that the test can check the page meanwhile. */
  paceMs?: number
}

/** Turns an empty folder into a repository with one commit, ready to be served. */
export function createBuildProject(folder: string, options: BuildProjectOptions = {}): void {
  for (const [path, content] of Object.entries(buildProjectFiles(options))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' })
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Test')
  git('config', 'user.email', 'test@localhost')
  git('add', '-A')
  git('commit', '-q', '-m', 'A shop')
}

const traced = { input: 'three attempts', expected: 'three lines', actual: 'three lines' }

function buildProjectFiles({ paceMs = 0 }: BuildProjectOptions = {}): Record<string, string> {
  const lines = [...rootLines, ...scheduleLines, ...classifierLines, ...ledgerLines, ...smallLines]
  const agents = ['planner', 'tester', 'coder']
  return {
    'README.md': '# Shop\n\nTakes charges.\n',
    'package.json': JSON.stringify({ name: 'shop', type: 'module' }),
    'src/index.ts': '/** What the shop offers. */\n',
    'script.yaml': JSON.stringify(lines.map((line) => ({ ...line, ...(paceMs > 0 ? { stream_ms: paceMs } : {}) }))),
    'convene.yaml': JSON.stringify({
      agents: Object.fromEntries(agents.map((name) => [name, { provider: 'rehearsal', script: 'script.yaml' }])),
      roles: { scaffold: 'planner', tdd: 'tester', impl: 'coder', merger: 'planner', rebaser: 'coder' },
      build: { setup: 'true', test: `${process.execPath} --test`, sandbox: 'off', mutations: 0, max_parallel: 3 },
    }),
  }
}

interface Line {
  when: { ask: string; node?: string; attempt?: number; contains?: string }
  files?: Record<string, string>
  reply: Record<string, unknown>
  repeat?: boolean
}

const approved = {
  Approved: {
    signOff: 'Every criterion has a test.',
    coverageReport: { criteriaWithTests: [], criteriaMissing: [] },
    untested: [traced],
  },
}
const passed = { TestsPassed: { iterations: 1, passedTests: [] } }

function testFile(imports: string, tests: Record<string, string>): string {
  const head = `import assert from 'node:assert'\nimport { test } from 'node:test'\n${imports}\n\n`
  const bodies = Object.entries(tests).map(([name, body]) => `test(${JSON.stringify(name)}, () => {\n  ${body}\n})\n`)
  return head + bodies.join('\n')
}

const plan = (criterionId: string, plannedTestName: string) => ({
  criterionId,
  plannedTestName,
  approach: 'by example',
})

const scheduleSource = `/** When a charge is tried again. */
const waits = [1, 6, 24]

/** Hours until the next attempt; null once none is left. */
export function nextAttempt(attempt: number): number | null {
  return waits[attempt] ?? null
}
`

const classifySource = `/** Whether a decline is final. */
export type Kind = 'soft' | 'hard'

const final = new Set(['stolen_card', 'closed_account'])

export function classify(code: string): Kind {
  return final.has(code) ? 'hard' : 'soft'
}
`

/** Agents' text stays text wherever it is shown: none of this may become markup. */
const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>'

const ledgerSource = `/** What was tried, in order. ${hostile} done */
export interface Attempt {
  at: number
  code: string
}

export class Ledger {
  readonly attempts: Attempt[] = []

  record(attempt: Attempt): void {
    this.attempts.push(attempt)
  }
}
`

const retrySource = `/** Whether and when a failed charge is tried again. */
import { classify } from './classify.ts'
import { nextAttempt } from './schedule.ts'

export interface Decision {
  retry: boolean
  inHours: number | null
}

export function decide(code: string, attempt: number): Decision {
  const inHours = classify(code) === 'hard' ? null : nextAttempt(attempt)
  return { retry: inHours !== null, inHours }
}
`

const head = '/** What the shop offers. */\n'
const scheduleExport = "export { nextAttempt } from './schedule.ts'\n"
const classifyExport = "export { classify } from './classify.ts'\n"

const rootLines: Line[] = [
  {
    when: { ask: 'scaffold', node: 'retry-policy' },
    files: {
      'src/retry.ts': `export interface Decision {
  retry: boolean
  inHours: number | null
}

export function decide(_code: string, _attempt: number): Decision {
  throw new Error('not implemented')
}
`,
      'test/retry.contract.test.ts': testFile("import { decide } from '../src/retry.ts'", {
        'contract: a soft decline is tried again (decides)': "assert.equal(decide('do_not_honor', 0).retry, true)",
      }),
    },
    reply: {
      InitWork: {
        interfaceFile: 'src/retry.ts',
        contractSuite: 'test/retry.contract.test.ts',
        testPlan: [plan('decides', 'says whether and when')],
        childSpecs: [
          {
            id: 'schedule',
            description: 'How long to wait before each attempt',
            acceptanceCriteria: [spec.acceptanceCriteria[0]],
            targetPath: 'src/schedule.ts',
            testPath: 'test/schedule.test.ts',
          },
          {
            id: 'classifier',
            description: 'Which declines are final',
            acceptanceCriteria: [spec.acceptanceCriteria[1]],
            targetPath: 'src/classify.ts',
            testPath: 'test/classify.test.ts',
          },
          {
            id: 'ledger',
            description: 'What was tried, in order',
            acceptanceCriteria: [spec.acceptanceCriteria[2]],
            targetPath: 'src/ledger.ts',
            testPath: 'test/ledger.test.ts',
            dependsOn: ['schedule'],
          },
        ],
      },
    },
  },
  {
    when: { ask: 'write-tests', node: 'retry-policy' },
    files: {
      'test/retry.test.ts': testFile("import { decide } from '../src/retry.ts'", {
        'says whether and when': "assert.deepEqual(decide('do_not_honor', 1), { retry: true, inHours: 6 })",
      }),
    },
    reply: { TestsReady: { testFiles: ['test/retry.test.ts'], pendingCriteria: ['decides'] } },
  },
  {
    when: { ask: 'implement', node: 'retry-policy', contains: 'Count from nought' },
    files: { 'src/retry.ts': retrySource },
    reply: passed,
  },
  {
    when: { ask: 'implement', node: 'retry-policy' },
    reply: {
      Stuck: {
        diagnosis: 'The spec does not say whether the first attempt is number 0 or number 1.',
        recommendation: 'Say which, and go on.',
        attempts: 1,
      },
    },
  },
  { when: { ask: 'review-impl', node: 'retry-policy' }, reply: approved },
  { when: { ask: 'judge-child', node: 'retry-policy' }, reply: approved, repeat: true },
]

const scheduleLines: Line[] = [
  {
    when: { ask: 'scaffold', node: 'schedule' },
    files: {
      'src/index.ts': head + scheduleExport,
      'src/schedule.ts': `export function nextAttempt(_attempt: number): number | null {
  throw new Error('not implemented')
}
`,
      'test/schedule.contract.test.ts': testFile("import { nextAttempt } from '../src/schedule.ts'", {
        'contract: the first wait (waits)': 'assert.equal(nextAttempt(0), 1)',
      }),
    },
    reply: {
      InitWork: {
        interfaceFile: 'src/schedule.ts',
        contractSuite: 'test/schedule.contract.test.ts',
        testPlan: [plan('waits', 'waits longer each time'), plan('waits', 'gives up after the third')],
      },
    },
  },
  {
    when: { ask: 'write-tests', node: 'schedule' },
    files: {
      'test/schedule.test.ts': testFile("import { nextAttempt } from '../src/schedule.ts'", {
        'waits longer each time': 'assert.deepEqual([0, 1, 2].map(nextAttempt), [1, 6, 24])',
        'gives up after the third': 'assert.equal(nextAttempt(3), null)',
      }),
    },
    reply: { TestsReady: { testFiles: ['test/schedule.test.ts'], pendingCriteria: ['waits'] } },
  },
  {
    when: { ask: 'implement', node: 'schedule', attempt: 1 },
    files: { 'src/schedule.ts': scheduleSource.replace(' ?? null', ' ?? 24') },
    reply: passed,
  },
  {
    when: { ask: 'implement', node: 'schedule', attempt: 2 },
    files: { 'src/schedule.ts': scheduleSource },
    reply: passed,
  },
  { when: { ask: 'review-impl', node: 'schedule' }, reply: approved },
  {
    when: { ask: 'rebase', node: 'schedule' },
    files: { 'src/index.ts': head + classifyExport + scheduleExport },
    reply: { RebaseAdapted: { adaptations: [] } },
  },
]

const classifierLines: Line[] = [
  {
    when: { ask: 'scaffold', node: 'classifier' },
    files: {
      'src/index.ts': head + classifyExport,
      'src/classify.ts': `export type Kind = 'soft' | 'hard'

export function classify(_code: string): Kind {
  throw new Error('not implemented')
}
`,
      'test/classify.contract.test.ts': testFile("import { classify } from '../src/classify.ts'", {
        'contract: a stolen card is final (kinds)': "assert.equal(classify('stolen_card'), 'hard')",
      }),
    },
    reply: {
      InitWork: {
        interfaceFile: 'src/classify.ts',
        contractSuite: 'test/classify.contract.test.ts',
        testPlan: [plan('kinds', 'knows final declines'), plan('kinds', 'takes an unknown code for soft')],
      },
    },
  },
  {
    when: { ask: 'write-tests', node: 'classifier' },
    files: {
      'test/classify.test.ts': testFile("import { classify } from '../src/classify.ts'", {
        'knows final declines': "assert.equal(classify('closed_account'), 'hard')",
        'takes an unknown code for soft': "assert.equal(classify('whatever'), 'soft')",
      }),
    },
    reply: { TestsReady: { testFiles: ['test/classify.test.ts'], pendingCriteria: ['kinds'] } },
  },
  {
    when: { ask: 'implement', node: 'classifier' },
    files: { 'src/classify.ts': classifySource },
    reply: passed,
  },
  { when: { ask: 'review-impl', node: 'classifier' }, reply: approved },
  {
    when: { ask: 'rebase', node: 'classifier' },
    files: { 'src/index.ts': head + scheduleExport + classifyExport },
    reply: { RebaseAdapted: { adaptations: [] } },
  },
]

const ledgerLines: Line[] = [
  {
    when: { ask: 'scaffold', node: 'ledger' },
    files: {
      NOTES: `${hostile} one\n`,
      'src/ledger.ts': `/** What was tried, in order. ${hostile} */
export interface Attempt {
  at: number
  code: string
}

export class Ledger {
  readonly attempts: Attempt[] = []

  record(_attempt: Attempt): void {
    throw new Error('not implemented')
  }
}
`,
      'test/ledger.contract.test.ts': testFile("import { Ledger } from '../src/ledger.ts'", {
        'contract: something is kept (records)':
          "const ledger = new Ledger(); ledger.record({ at: 0, code: 'x' }); assert.equal(ledger.attempts.length, 1)",
      }),
    },
    reply: {
      InitWork: {
        interfaceFile: 'src/ledger.ts',
        contractSuite: 'test/ledger.contract.test.ts',
        testPlan: [plan('records', 'keeps every attempt in order')],
      },
    },
  },
  {
    when: { ask: 'write-tests', node: 'ledger' },
    files: {
      'test/ledger.test.ts': testFile("import { Ledger } from '../src/ledger.ts'", {
        'keeps every attempt in order':
          "const ledger = new Ledger(); ledger.record({ at: 1, code: 'a' }); ledger.record({ at: 2, code: 'b' }); assert.equal(ledger.attempts[1]?.code, 'b')",
      }),
    },
    reply: { TestsReady: { testFiles: ['test/ledger.test.ts'], pendingCriteria: ['records'] } },
  },
  {
    when: { ask: 'implement', node: 'ledger' },
    files: { 'src/ledger.ts': ledgerSource, NOTES: `${hostile} two\n` },
    reply: passed,
  },
  { when: { ask: 'review-impl', node: 'ledger' }, reply: approved },
]

/** Of whatever build no other line is for. */
const smallLines: Line[] = [
  {
    when: { ask: 'review-impl' },
    repeat: true,
    reply: {
      Approved: {
        signOff: 'The test notices an upper case letter.',
        coverageReport: { criteriaWithTests: [['lower', 'makes letters lower case']], criteriaMissing: [] },
        untested: [traced],
      },
    },
  },
  {
    when: { ask: 'implement' },
    repeat: true,
    files: {
      'src/slug.ts': 'export function slug(title: string): string {\n  return title.toLowerCase()\n}\n',
      'test/slug.test.ts': testFile("import { slug } from '../src/slug.ts'", {
        'makes letters lower case': "assert.equal(slug('ABC'), 'abc')",
      }),
    },
    reply: passed,
  },
]
