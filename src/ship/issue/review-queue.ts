/** Finished issues that no person has reviewed yet, and the wait for a review. */
import type { Run } from '../../kernel/engine.ts'
import { askPerson, numbersIn, type Question } from '../../kernel/runs/questions.ts'
import type { ShipDeps } from '../deps.ts'
import { issueReviewed } from '../events.ts'
import { eventHeader, readFeature } from '../feature-state.ts'
import { findIssue, type IssueView } from '../view.ts'

/** Issues found done by a commit, by tests or by a person were not built here and need no review. */
export function isUnreviewed({ state, reviewed, finished }: IssueView): boolean {
  return state === 'DONE' && !reviewed && finished !== undefined
}

export function unreviewed(issues: readonly IssueView[]): number[] {
  return issues.filter(isUnreviewed).map(({ number }) => number)
}

const context = 'review'

export function isReviewQuestion(question: Question, feature: string): boolean {
  return question.context.waits_for === context && question.context.feature === feature
}

/** Asks a person to review the waiting issues, all or some by number, and waits for the answer. */
export async function waitForReview(
  run: Run,
  deps: ShipDeps,
  feature: string,
  waiting: readonly { number: number; title: string }[],
): Promise<void> {
  const numbers = waiting.map(({ number }) => number)
  const list = waiting.map(({ number, title }) => `#${number} ${title}`).join(', ')
  const answer = await deps.activity.whileWaiting(run.runId, () =>
    askPerson(run, eventHeader(feature, run.runId), {
      text: `waiting for review: ${waiting.length}. No new issue starts until these are reviewed: ${list}. Answer here, or run: convene status ${feature} --reviewed ${numbers.join(',')}`,
      choices: ['reviewed'],
      numbers,
      context: { waits_for: context, feature, issues: numbers },
    }),
  )
  const named = new Set(numbersIn(answer.text ?? ''))
  await run.step('mark reviewed', async (step) => {
    const view = await readFeature(deps, feature)
    for (const { number } of waiting) {
      const issue = findIssue(view, number)
      if (!issue || !isUnreviewed(issue)) continue
      if (answer.choice === 'reviewed' || named.has(number))
        step.emit(issueReviewed.create(eventHeader(feature, run.runId), { issue: number }))
    }
  })
}
