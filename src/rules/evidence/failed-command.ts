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
  /** A linter or the like in the command that failed, with its own words. */
  part?: { command: string; exitCode: number | null; excerpt?: string } | undefined
}

const mostTests = 20

export function describeFailedCommand({ command, exitCode, ended, failing, excerpt, part }: FailedCommand): string {
  const how = ended === undefined || ended === 'exited' ? `exit code ${exitCode}` : ended.replaceAll('-', ' ')
  const names = failing.slice(0, mostTests).map(({ name, fullName, message }) => {
    const said = message === undefined ? '' : `: ${message.trim().replaceAll('\n', '\n    ')}`
    return `  - ${fullName ?? name}${said}`
  })
  const more = failing.length > mostTests ? [`  - and ${failing.length - mostTests} more`] : []
  const tests = names.length > 0 ? ['Failing tests:', ...names, ...more] : []
  const fence = (text: string) => (text.trim() === '' ? ['It printed nothing.'] : [shownBelow, '```', text, '```'])
  if (part?.excerpt !== undefined && part.command !== command) {
    const itself = `In it, \`${part.command}\` fails with exit code ${part.exitCode}.`
    // Each failing test has its own message.
    return [`\`${command}\`: ${how}`, itself, ...fence(part.excerpt), ...tests].join('\n')
  }
  return [`\`${command}\`: ${how}`, ...tests, ...fence(excerpt)].join('\n')
}

export const shownBelow = 'Output around the first error:'

export function failingTests(tests: readonly TestFacts[]): TestFacts[] {
  return tests.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped')
}
