/** Formats issues as lines: state, number, title and reason. */
import { afterBlocked } from '../../rules/issues/blocked-reason.ts'
import type { FeatureReport } from '../../ship/feature/features.ts'
import type { IssueNotice } from '../../ship/view.ts'
import type { Output } from './output.ts'
import { printable } from './printable.ts'

const colours = {
  DONE: 'green',
  BLOCKED: 'red',
  SKIPPED: 'yellow',
  MANUAL_REQUIRED: 'yellow',
  INTERRUPTED: 'yellow',
  IN_PROGRESS: 'cyan',
  VERIFYING: 'cyan',
} as const

export function issueLines({ feature, issues }: Pick<FeatureReport, 'feature' | 'issues'>, output: Output): string[] {
  const done = new Set(issues.filter(({ state }) => state === 'DONE').map(({ number }) => number))
  return issues.flatMap((issue) => {
    const { number, title, state, reason, commit, elsewhere, reviewed, depends_on = [], notices = [] } = issue
    const open = state === 'DONE' ? [] : depends_on.filter((one) => !done.has(one))
    const colour = colours[state as keyof typeof colours] ?? 'dim'
    const more = [
      commit?.slice(0, 10),
      reason?.split('\n')[0],
      ...elsewhere.map(({ branch }) => `also on ${branch}, which does not count`),
      open.length > 0 && state !== 'SKIPPED' ? `waits for ${open.map((one) => `#${one}`).join(', ')}` : undefined,
      // Agents have reviewed it: this is about the person.
      reviewed === false ? 'not yet reviewed by a person' : undefined,
    ]
    const name = `#${number} ${printable(title)}`
    const details = output.style('dim', printable(more.filter(Boolean).join(' · ')))
    const line = `${output.style(colour, state.padEnd(12))} ${name}  ${details}`
    return [
      line,
      ...(needsPerson(issue) ? [`             next: ${printable(afterBlocked(feature, number))}`] : []),
      ...notices.slice(-3).map((notice) => output.style('dim', `             ${printable(inWords(notice))}`)),
    ]
  })
}

export function needsPerson({ state }: { state: string }): boolean {
  return state === 'BLOCKED' || state === 'MANUAL_REQUIRED'
}

/** Warns if the forge is not up to date. */
export function trackerLines({ feature, tracker }: FeatureReport): string[] {
  if (!tracker) return []
  const { pending, reason } = tracker
  const issues = pending === 1 ? '1 issue is' : `${pending} issues are`
  return [
    printable(
      `the tracker is out of date: ${issues} not yet synced (${reason.split('\n')[0]}); \`convene status ${feature}\` retries`,
    ),
  ]
}

/** Describes what a person did to an issue on the forge. */
function inWords({ change, by = 'somebody', label, text }: IssueNotice): string {
  switch (change) {
    case 'closed':
      return `closed by ${by}`
    case 'reopened':
      return `reopened by ${by}`
    case 'label_added':
      return `${by} added the label ${label}`
    case 'label_removed':
      return `${by} removed the label ${label}`
    case 'commented':
      return `${by}: ${(text ?? '').split('\n')[0]!.slice(0, 200)}`
  }
}
