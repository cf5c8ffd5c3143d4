/** Issues that are very cheap to build: one line of code each, and a test that greps for words in it. */
import { buildProject, type Line, type Project, specOf } from '../build/project.ts'
import { check, shellCommand, shellRunner } from '../build/shell-tests.ts'
import { agreeable } from '../plan/project.ts'

export interface ShellIssue {
  number: number
  depends_on?: number[]
}

const nameOf = (number: number) => `f${number}`

export function issueOf({ number, depends_on = [] }: ShellIssue) {
  const name = nameOf(number)
  return {
    number,
    title: `Function ${name}`,
    body: '',
    acceptance_criteria: [{ id: name, text: `the function ${name} is there.` }],
    depends_on,
    size: 'small' as const,
    business_value: 0.5,
    risk: 0.1,
    target_path: `src/${name}.js`,
    test_path: `test/${name}.test.sh`,
  }
}

export function filesOf(number: number): Record<string, string> {
  const name = nameOf(number)
  return {
    [`src/${name}.js`]: `export const ${name} = (value) => value + ${number}\n`,
    [`test/${name}.test.sh`]: check(`${name} adds`, `src/${name}.js`, `value + ${number}`),
  }
}

export const passed = { TestsPassed: { iterations: 1, passedTests: [] } }

/** Matches any feature name. */
export function builtLine(number: number, more: Partial<Line> = {}): Line {
  const when = { ask: 'implement', contains: `the function ${nameOf(number)} is there.` }
  return { when, files: filesOf(number), reply: passed, ...more }
}

export const summaryLine: Line = { when: { ask: 'summary' }, repeat: true, reply: { summary: 'It adds.' } }

/** Agents that agree on everything, and a plan of these issues. */
export function planLines(issues: readonly ShellIssue[]): Line[] {
  const planned = { summary: 'So many issues.', issues: issues.map(issueOf) }
  return agreeable.map((line) => (line.when.phase === '9' ? { ...line, reply: planned } : line)) as Line[]
}

export interface ShellProjectOptions {
  lines?: Line[]
  build?: Record<string, unknown>
  config?: Record<string, unknown>
}

/** The configuration can change without touching committed files. */
export function shellProject(
  issues: readonly ShellIssue[],
  options: ShellProjectOptions = {},
): Project & { configure(more: Record<string, unknown>): void } {
  const agents = { coder: { provider: 'rehearsal', script: '../script.yaml' } }
  const settings = (more: Record<string, unknown>) =>
    JSON.stringify({
      agents,
      build: { test: shellCommand, sandbox: 'off', worktrees: '../worktrees', ...options.build },
      ...options.config,
      ...more,
    })
  const project = buildProject({
    spec: specOf('unused'),
    lines: [...(options.lines ?? issues.map(({ number }) => builtLine(number))), summaryLine, ...planLines(issues)],
    files: {
      ...shellRunner,
      '.gitignore': 'convene.yaml\n',
      'convene.yaml': settings({}),
      'issues.json': JSON.stringify({ feature: 'demo', issues: issues.map(issueOf) }),
    },
  })
  return { ...project, configure: (more) => project.write({ 'convene.yaml': settings(more) }) }
}
