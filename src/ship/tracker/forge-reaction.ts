/** What follows here from what a person did on the forge. A person's word holds, as far as git does not say otherwise. GH. */
import { forgeChanged, forgeStream } from '../../forge/events.ts'
import type { NewEvent } from '../../kernel/events.ts'
import { moveEvent, placeOf } from '../feature-state.ts'
import type { IssueView } from '../view.ts'
import type { Noticed } from './forge-watch.ts'

/** The notice itself, and the move of the issue, if any. */
export function reactionTo(noticed: Noticed, issue: IssueView): NewEvent[] {
  const { feature, by, ...change } = noticed
  const place = { stream: forgeStream, feature, ...(by === undefined ? {} : { actor: by }) }
  const told = forgeChanged.create(place, { ...change, feature, ...(by === undefined ? {} : { by }) })
  // Named after the comment: noticed again, it is the same fact.
  if (change.change === 'commented')
    return [{ ...told, key: { run: `forge:${feature}`, step: `comment ${change.repo}`, n: change.comment.id } }]
  const move = moveFor(noticed, issue)
  return move ? [told, move] : [told]
}

function moveFor(noticed: Noticed, issue: IssueView): NewEvent | null {
  const place = placeOf(noticed.feature)
  const who = noticed.by === undefined ? '' : ` by ${noticed.by}`
  if (noticed.change === 'closed') {
    // What is being built is built: it is done when its commit is there.
    if (['IN_PROGRESS', 'VERIFYING', 'SPLIT', 'DONE'].includes(issue.state)) return null
    if (noticed.dropped)
      return moveEvent(place, issue, 'skipped', { reason: `closed as not planned on the forge${who}` })
    const evidence = [{ kind: 'person', detail: `closed on the forge${who}` }]
    return moveEvent(place, issue, 'found_done', { done_by: 'person', evidence })
  }
  if (noticed.change === 'reopened') {
    const reason = `reopened on the forge${who}`
    if (issue.state === 'SKIPPED' && issue.skipped_from === undefined)
      return moveEvent(place, issue, 'unblocked', { reason })
    // A commit that stands is there, whatever is said: it can be reverted.
    if (issue.state === 'DONE' && issue.done_by === 'person') return moveEvent(place, issue, 'reverted', { reason })
  }
  return null
}
