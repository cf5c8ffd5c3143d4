/** What the coordinator is told about the issues of a feature: dependencies, risk, and what is finished. FA1. */
import { oneLine } from '../../rules/text/one-line.ts'
import type { FeatureView, IssueView } from '../view.ts'

const mostFinished = 20

/** One line: what it is, how large and risky, what it needs and what waits for it. */
export function issueFacts({ issues }: Pick<FeatureView, 'issues'>, issue: IssueView): string {
  const { number, title, size, risk, business_value, depends_on, acceptance_criteria } = issue
  const waiting = issues.filter((one) => one.depends_on.includes(number) && one.state !== 'DONE')
  return [
    `#${number}: ${title}`,
    acceptance_criteria.length === 1 ? '1 criterion' : `${acceptance_criteria.length} criteria`,
    `size ${size}`,
    `risk ${risk}`,
    `business value ${business_value}`,
    depends_on.length > 0
      ? `needs ${depends_on.map((one) => stateOf(issues, one)).join(', ')}`
      : 'needs no other issue',
    ...(waiting.length > 0 ? [`${waiting.map((one) => `#${one.number}`).join(', ')} wait for it`] : []),
  ].join('; ')
}

/** The finished issues, newest last, with their summaries. */
export function finishedFacts({ issues }: Pick<FeatureView, 'issues'>): string {
  const finished = issues.filter(({ state }) => state === 'DONE')
  if (finished.length === 0) return 'Finished so far: nothing.'
  const lines = finished.slice(-mostFinished).map(({ number, title, summary }) => {
    return `- #${number} ${title}${summary ? `: ${oneLine(summary, 200)}` : ''}`
  })
  const more = finished.length - lines.length
  return ['Finished so far:', ...(more > 0 ? [`- ${more} earlier issues`] : []), ...lines].join('\n')
}

function stateOf(issues: readonly IssueView[], number: number): string {
  const state = issues.find((one) => one.number === number)?.state
  return `#${number} (${state === 'DONE' ? 'done' : (state ?? 'unknown')})`
}
