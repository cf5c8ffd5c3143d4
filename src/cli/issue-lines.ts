/** Issues as lines for a person: state, number, title, and why. */
import type { FeatureReport } from '../ship/features.ts'
import type { Output } from './output.ts'

const colours = {
  DONE: 'green',
  BLOCKED: 'red',
  SKIPPED: 'yellow',
  MANUAL_REQUIRED: 'yellow',
  IN_PROGRESS: 'cyan',
  VERIFYING: 'cyan',
} as const

export function issueLines({ issues }: FeatureReport, output: Output): string[] {
  return issues.map(({ number, title, state, reason, commit, elsewhere }) => {
    const colour = colours[state as keyof typeof colours] ?? 'dim'
    const more = [
      commit?.slice(0, 10),
      reason?.split('\n')[0],
      ...elsewhere.map(({ branch }) => `also on ${branch}, which does not count`),
    ]
    return `${output.style(colour, state.padEnd(12))} #${number} ${title}  ${output.style('dim', more.filter(Boolean).join(' · '))}`
  })
}
