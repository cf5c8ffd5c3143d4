/** A feature's name, counts and status, with run, stop and review. */
import type { Actions } from '../data/use-actions.ts'
import { Button } from '../ui/button.tsx'
import { Chip, Dot } from '../ui/chip.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { CutName } from '../ui/cut-name.tsx'
import { plural } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import { BackLink } from '../ui/page/back-link.tsx'
import { RunControl } from './run-control.tsx'
import type { FeatureState } from './view/feature-store.ts'
import { statusLabel } from './view/labels.ts'

interface FeatureHeaderProps {
  state: FeatureState
  actions: Actions
  onReview(): void
}

export function FeatureHeader({ state, actions, onReview }: FeatureHeaderProps) {
  const { view, cards, work, timeline, report } = state
  const count = (...states: string[]) => cards.filter((card) => states.includes(card.state)).length
  const total = cards.length - count('SPLIT')
  const unreviewed = cards.filter(({ reviewed }) => reviewed === false).length
  const status = work ? statusLabel[work.status] : null
  const branch = `convene/${view.feature}/main`
  const goal = timeline.ship?.goal
  return (
    <header
      className="shrink-0 border-b border-line px-3 py-2.5 md:px-5"
      data-testid="feature-header"
      data-status={work?.status ?? 'idle'}
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <span className="flex min-w-0 max-w-full items-center gap-1">
          <BackLink href="/features" label="Features" />
          <h1 className="min-w-0 text-title font-semibold">
            <CutName name={view.feature} />
          </h1>
        </span>
        {status ? (
          <Chip tone={status.tone} data-testid="feature-status">
            <Dot tone={status.tone} />
            {status.word}
          </Chip>
        ) : null}
        {total > 0 ? (
          <span className="flex flex-wrap gap-1.5" data-testid="feature-counts">
            <Chip>{plural(total, 'issue')}</Chip>
            {count('DONE') > 0 ? <Chip tone="ok">{count('DONE')} done</Chip> : null}
            {count('BLOCKED', 'MANUAL_REQUIRED') > 0 ? (
              <Chip tone="bad">{count('BLOCKED', 'MANUAL_REQUIRED')} blocked</Chip>
            ) : null}
          </span>
        ) : null}
        <span className="ml-auto flex items-center gap-1.5">
          {unreviewed > 0 ? (
            <Button weight="quiet" onClick={onReview} data-testid="review-button">
              {unreviewed === 1 ? '1 awaiting your review' : `${unreviewed} awaiting your review`}
            </Button>
          ) : null}
          <RunControl state={state} actions={actions} />
        </span>
      </div>
      <div className="mt-1 flex flex-wrap items-center gap-x-3.5 gap-y-0.5 text-small text-ink-2">
        {goal ? (
          <span className="min-w-0 max-w-full truncate" title={goal}>
            {goal.slice(0, 240)}
          </span>
        ) : null}
        {report || count('DONE') > 0 ? (
          <span className="flex min-w-0 items-center gap-1.5">
            <Icon name="branch" size={14} />
            <code className="numbers min-w-0 truncate">{branch}</code>
            <CopyButton text={branch} label="Copy the branch" className="size-6" />
            {report?.merged === true ? (
              <span className="shrink-0 text-ok">merged into {view.main || 'the main branch'}</span>
            ) : null}
          </span>
        ) : null}
        {view.pull_request ? (
          <a
            href={view.pull_request.url}
            target="_blank"
            rel="noreferrer"
            className="text-accent underline underline-offset-2"
          >
            Pull request #{view.pull_request.number}
          </a>
        ) : null}
      </div>
    </header>
  )
}
