/**
 * A repository with a feature that has everything a board can show: done, found in git, elsewhere, blocked, skipped.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const feature = 'charge-retries'

/** People's text stays text wherever it is shown: none of this may become markup. */
const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>'

const issue = (number: number, title: string, name: string, more: Record<string, unknown> = {}) => ({
  number,
  title,
  acceptance_criteria: [{ id: `${name}-holds`, text: `${name}(1) gives 2. ${number === 1 ? hostile : ''}` }],
  target_path: `src/${name}.js`,
  test_path: `test/${name}.test.js`,
  ...more,
})

export const issues = [
  issue(1, 'Backoff schedule', 'backoff', { size: 'small', body: `Waits *1 h*, 6 h and 24 h. ${hostile}` }),
  issue(2, 'Attempt table', 'attempts', { depends_on: [1] }),
  issue(3, 'Webhook signature', 'signature', { risk: 0.9 }),
  issue(4, `Replay of webhooks ${'w'.repeat(150)}`, 'replay', { depends_on: [3], size: 'large' }),
  issue(5, 'Charge ids', 'ids'),
  issue(6, 'Operator page', 'operator', { depends_on: [2] }),
]

export const issuesFile = JSON.stringify({ feature, issues }, null, 2)

interface Line {
  when: { ask: string; node?: string; phase?: string }
  files?: Record<string, string>
  reply?: unknown
  repeat?: boolean
  stream_ms?: number
}

const built = (number: number, name: string, result = 'value + 1'): Line => ({
  when: { ask: 'implement', node: `${feature}-${number}` },
  files: {
    [`src/${name}.js`]: `/** What a charge needs of ${name}. */\nexport const ${name} = (value) => ${result}\n`,
    [`test/${name}.test.js`]: `import assert from 'node:assert'\nimport { test } from 'node:test'\nimport { ${name} } from '../src/${name}.js'\ntest('${name} adds one', () => assert.equal(${name}(1), 2))\n`,
  },
  reply: { TestsPassed: { iterations: 1, passedTests: [] } },
})

/** The signature is wrong twice, which uses up its attempts; after unblocking it is right. */
/** Another role reviews what one agent built alone. */
const approval = {
  when: { ask: 'review-impl' },
  repeat: true,
  reply: { Approved: { signOff: 'good', coverageReport: { criteriaWithTests: [], criteriaMissing: [] } } },
}

const lines: Line[] = [
  built(1, 'backoff'),
  built(2, 'attempts'),
  built(3, 'signature', 'value'),
  built(3, 'signature', 'value'),
  built(3, 'signature'),
  built(4, 'replay'),
  built(6, 'operator'),
  // A goal is planned in the quickest mode and becomes one issue.
  {
    when: { ask: 'phase', phase: '3' },
    repeat: true,
    reply: { scores: { value: 2, scope: 2, acceptance: 2, constraints: 2, risk: 2 } },
  },
  {
    when: { ask: 'phase', phase: '9' },
    repeat: true,
    reply: { summary: 'One issue.', issues: [issue(1, 'Refund once', 'refund')] },
  },
  { when: { ask: 'phase' }, repeat: true, reply: { artefact: '## Approach', summary: 'fine', output: 'fine' } },
  { ...built(1, 'refund'), when: { ask: 'implement' } },
  { when: { ask: 'summary' }, repeat: true, reply: { summary: `It adds one. ${hostile}` } },
]

/**
 * Turns an empty folder into a repository, ready to be served. Agents are slow where the test checks the page
 * meanwhile.
 */
export function createShipProject(
  folder: string,
  { paceMs = 0, config = {} }: { paceMs?: number; config?: object } = {},
): void {
  const paced = lines.map((line) => ({ ...line, ...(paceMs > 0 ? { after_ms: paceMs } : {}) }))
  const files: Record<string, string> = {
    'README.md': '# Shop\n\nTakes charges.\n',
    'AGENTS.md': 'Small functions, one file each.\n',
    'package.json': JSON.stringify({ name: 'shop', type: 'module' }),
    '../script.yaml': JSON.stringify([...paced, approval]),
    'convene.yaml': JSON.stringify({
      agents: { coder: { provider: 'rehearsal', script: '../script.yaml' } },
      build: {
        setup: 'true',
        test: `${JSON.stringify(process.execPath)} --test --test-isolation=none`,
        sandbox: 'off',
        worktrees: '../worktrees',
        mutations: 0,
        max_parallel: 2,
      },
      ship: { retries: 1 },
      budget: { calls: 40 },
      ...config,
    }),
  }
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' })
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Test')
  git('config', 'user.email', 'test@localhost')
  git('add', '-A')
  git('commit', '-q', '-m', 'A shop')
  git('checkout', '-q', '-b', 'aside')
  git('commit', '-q', '--allow-empty', '-m', `feat(${feature}): Implement issue #6`)
  git('checkout', '-q', 'main')
  writeFileSync(join(folder, 'CHANGES.md'), 'Charges have ids.\n')
  git('add', '-A')
  git('commit', '-q', '-m', `feat(${feature}): Implement issue #5`)
}
