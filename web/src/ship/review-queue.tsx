/** Finished issues that nobody has reviewed. While the queue is full, no new issue starts. */
import { Link } from 'wouter'
import { issueAddress } from '../data/addresses/ship.ts'
import { markReviewed } from '../data/calls/features.ts'
import type { Actions } from '../data/use-actions.ts'
import { useWatched } from '../data/watched.ts'
import { Button } from '../ui/button.tsx'
import { shortCommit } from '../ui/format.ts'
import { Modal } from '../ui/modal.tsx'
import type { FeatureState } from './view/feature-store.ts'
import { shipSettings } from './view/ship-settings-store.ts'

interface ReviewQueueProps {
  state: FeatureState
  actions: Actions
  onClose(): void
}

export function ReviewQueue({ state: { view, cards }, actions, onClose }: ReviewQueueProps) {
  const settings = useWatched(shipSettings)
  const waiting = cards.filter(({ reviewed }) => reviewed === false)
  const most = settings?.max_unreviewed ?? null
  const mark = (body: { issue: number } | { all: true }) =>
    void actions.act('reviewing', () => markReviewed(view.feature, body))
  return (
    <Modal title="Awaiting your review" onClose={onClose}>
      <div className="p-4" data-testid="review-queue">
        <p className="mb-3 text-small text-ink-2">
          {most === null
            ? 'Work continues; you have not reviewed these yet.'
            : `No new issue starts while ${most} or more are waiting here.`}
        </p>
        {waiting.length === 0 ? <p className="text-ink-2">Everything is reviewed.</p> : null}
        <ul className="space-y-2">
          {waiting.map(({ number, title, commit }) => (
            <li key={number} className="flex items-center gap-3 rounded-lg border border-line px-3 py-2">
              <Link
                href={issueAddress(view.feature, number, 'changes')}
                onClick={onClose}
                className="min-w-0 flex-1 hover:underline"
              >
                <span className="numbers block text-tiny text-ink-3">
                  #{number}
                  {commit ? ` · ${shortCommit(commit)}` : ''}
                </span>
                <span className="block truncate">{title}</span>
              </Link>
              <Button disabled={actions.busy !== null} onClick={() => mark({ issue: number })}>
                Mark reviewed
              </Button>
            </li>
          ))}
        </ul>
        {waiting.length > 1 ? (
          <Button className="mt-3" disabled={actions.busy !== null} onClick={() => mark({ all: true })}>
            Mark all reviewed
          </Button>
        ) : null}
        {actions.problem ? (
          <p role="alert" className="mt-3 text-small text-bad">
            {actions.problem}
          </p>
        ) : null}
      </div>
    </Modal>
  )
}
