/** Finished work that no person has looked at yet, and the wait for one who does. */
import type { Run } from '../../kernel/engine.ts'
import { askPerson, numbersIn, type Question } from '../../kernel/runs/questions.ts'
import type { ShipDeps } from '../deps.ts'
import { issueReviewed } from '../events.ts'
import { placeOf, readFeature } from '../feature-state.ts'
import { findIssue, type IssueView } from '../view.ts'

/** What was found done, by its commit, its tests or a person's word, was not built here and waits for nobody. */
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

/** Waits until a person says that the finished work was looked at: all of it, or some by number. */
export async function waitForReview(
  run: Run,
  deps: ShipDeps,
  feature: string,
  waiting: readonly { number: number; title: string }[],
): Promise<void> {
  const numbers = waiting.map(({ number }) => number)
  const list = waiting.map(({ number, title }) => `#${number} ${title}`).join(', ')
  const answer = await deps.activity.whileWaiting(run.runId, () =>
    askPerson(run, placeOf(feature, run.runId), {
      text: `waiting for review: ${waiting.length}. Nothing new is begun until someone has looked at ${list}. Say so here, or with: convene status ${feature} --reviewed ${numbers.join(',')}`,
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
        step.emit(issueReviewed.create(placeOf(feature, run.runId), { issue: number }))
    }
  })
}
