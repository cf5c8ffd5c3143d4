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
  /** Linters and the like in the command that failed, with their own words. */
  parts?: readonly { command: string; folder?: string; exitCode: number | null; excerpt?: string }[]
}

const mostTests = 20

export function describeFailedCommand({
  command,
  exitCode,
  ended,
  failing,
  excerpt,
  parts = [],
}: FailedCommand): string {
  const how = ended === undefined || ended === 'exited' ? `exit code ${exitCode}` : ended.replaceAll('-', ' ')
  const names = failing.slice(0, mostTests).map(({ name, fullName, message }) => {
    const said = message === undefined ? '' : `: ${message.trim().replaceAll('\n', '\n    ')}`
    return `  - ${fullName ?? name}${said}`
  })
  const more = failing.length > mostTests ? [`  - and ${failing.length - mostTests} more`] : []
  const tests = names.length > 0 ? ['Failing tests:', ...names, ...more] : []
  const fence = (text: string) => (text.trim() === '' ? ['It printed nothing.'] : [shownBelow, '```', text, '```'])
  const within = parts.flatMap((part) =>
    part.excerpt === undefined || part.command === command
      ? []
      : [`In it, \`${part.command}\`${placeOf(part)} fails with exit code ${part.exitCode}.`, ...fence(part.excerpt)],
  )
  // Each failing test has its own message.
  if (within.length > 0) return [`\`${command}\`: ${how}`, ...within, ...tests].join('\n')
  return [`\`${command}\`: ${how}`, ...tests, ...fence(excerpt)].join('\n')
}

/** In a workspace, packages may have the same commands. */
function placeOf({ folder = '.' }: { folder?: string }): string {
  return folder === '.' ? '' : ` in ${folder}`
}

export const shownBelow = 'Output around the first error:'

export function failingTests(tests: readonly TestFacts[]): TestFacts[] {
  return tests.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped')
}
