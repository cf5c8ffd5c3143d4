/** Words a failed command for the agent whose work it checked: command, exit code, failing tests, cause. SPEC.md § VF8. */
import type { TestFacts } from '../build/test-facts.ts'

export interface FailedCommand {
  command: string
  exitCode: number
  /** How the command ended, if not by itself: `timed-out` … */
  ended?: string
  /** Tests that failed, if the runner names them. */
  failing: readonly Pick<TestFacts, 'name' | 'fullName' | 'message'>[]
  /** The part of the output that shows the cause. */
  excerpt: string
}

const mostTests = 20

export function describeFailedCommand({ command, exitCode, ended, failing, excerpt }: FailedCommand): string {
  const how = ended === undefined || ended === 'exited' ? `exit code ${exitCode}` : ended.replaceAll('-', ' ')
  const names = failing.slice(0, mostTests).map(({ name, fullName, message }) => {
    const said = message === undefined ? '' : `: ${message.trim().replaceAll('\n', '\n    ')}`
    return `  - ${fullName ?? name}${said}`
  })
  const more = failing.length > mostTests ? [`  - and ${failing.length - mostTests} more`] : []
  return [
    `\`${command}\`: ${how}`,
    ...(names.length > 0 ? ['Failing tests:', ...names, ...more] : []),
    ...(excerpt.trim() === '' ? ['It printed nothing.'] : ['Output around the first error:', '```', excerpt, '```']),
  ].join('\n')
}

export function failingTests(tests: readonly TestFacts[]): TestFacts[] {
  return tests.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped')
}
