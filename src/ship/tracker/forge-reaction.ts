/** Turns what a person did on the forge into events. A person's decision holds unless git contradicts it. GH. */
import { forgeChanged, forgeStream } from '../../forge/events.ts'
import type { NewEvent } from '../../kernel/events.ts'
import { moveAfterForgeChange } from '../../rules/issues/forge-change.ts'
import { eventHeader, moveEvent } from '../feature-state.ts'
import type { IssueView } from '../view.ts'
import type { Noticed } from './forge-watch.ts'

/** The notice, and the issue's move if there is one. */
export function reactionTo(noticed: Noticed, issue: IssueView): NewEvent[] {
  const { feature, by, ...change } = noticed
  const header = { stream: forgeStream, feature, ...(by === undefined ? {} : { actor: by }) }
  const told = forgeChanged.create(header, { ...change, feature, ...(by === undefined ? {} : { by }) })
  // Keyed by the comment, so that seeing it again adds no event.
  if (change.change === 'commented')
    return [{ ...told, key: { run: `forge:${feature}`, step: `comment ${change.repo}`, n: change.comment.id } }]
  const move = moveFor(noticed, issue)
  return move ? [told, move] : [told]
}

function moveFor(noticed: Noticed, issue: IssueView): NewEvent | null {
  if (noticed.change !== 'closed' && noticed.change !== 'reopened') return null
  const isClosed = noticed.change === 'closed'
  const cause = moveAfterForgeChange(
    isClosed ? { change: 'closed', notPlanned: noticed.dropped === true } : { change: 'reopened' },
    issue,
  )
  if (cause === null) return null
  const who = noticed.by === undefined ? '' : ` by ${noticed.by}`
  const header = eventHeader(noticed.feature)
  if (cause === 'found_done') {
    const evidence = [{ kind: 'person', detail: `closed on the forge${who}` }]
    return moveEvent(header, issue, cause, { done_by: 'person', evidence })
  }
  const what = isClosed ? 'closed as not planned' : 'reopened'
  return moveEvent(header, issue, cause, { reason: `${what} on the forge${who}` })
}
