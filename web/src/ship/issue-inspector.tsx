/** One issue in tabs: its status and history, its changes, and the context its agents got. */
import type { ReactNode } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { IssueView } from '../../../src/ship/view.ts'
import { featureAddress, issueAddress } from '../data/addresses/ship.ts'
import { markReviewed, runFeature, unblock } from '../data/calls/features.ts'
import { newId } from '../data/new-id.ts'
import type { Actions } from '../data/use-actions.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { StatusChip } from '../ui/chip.tsx'
import { Modal } from '../ui/modal.tsx'
import { narrowScreen, useMedia, wideScreen } from '../ui/use-media.ts'
import { IssueChanges } from './issue/issue-changes.tsx'
import { IssueContext } from './issue/issue-context.tsx'
import { IssueOverview } from './issue/issue-overview.tsx'
import { runOptions } from './run-control.tsx'
import type { FeatureState } from './view/feature-store.ts'
import { type IssueCard, stateLabel } from './view/issue-card.ts'

interface IssueInspectorProps {
  state: FeatureState
  number: number
  actions: Actions
}

export function IssueInspector({ state, number, actions }: IssueInspectorProps) {
  const wide = useMedia(wideScreen)
  const narrow = useMedia(narrowScreen)
  const [, navigate] = useLocation()
  const close = () => navigate(featureAddress(state.view.feature))
  const issue = state.view.issues.find((one) => one.number === number)
  const card = state.cards.find((one) => one.number === number)
  const shut = <IconButton icon="close" label="Close" onClick={close} />
  const content =
    issue && card ? (
      <IssuePanel key={number} state={state} issue={issue} card={card} actions={actions} shut={shut} />
    ) : (
      <div className="flex items-start gap-2 p-4">
        <p className="flex-1 text-ink-2">This feature has no issue #{number}.</p>
        {shut}
      </div>
    )
  if (wide)
    return (
      <aside aria-label={`Issue ${number}`} className="flex w-[400px] shrink-0 flex-col border-l border-line bg-panel">
        {content}
      </aside>
    )
  return (
    <Modal title={`Issue ${number}`} shape={narrow ? 'full' : 'right'} onClose={close} bare>
      {content}
    </Modal>
  )
}

const tabs = [
  { id: 'overview', label: 'Why' },
  { id: 'changes', label: 'Changes' },
  { id: 'context', label: 'Context' },
] as const

interface IssuePanelProps {
  state: FeatureState
  issue: IssueView
  card: IssueCard
  actions: Actions
  shut: ReactNode
}

function IssuePanel({ state, issue, card, actions, shut }: IssuePanelProps) {
  const [, navigate] = useLocation()
  const wanted = new URLSearchParams(useSearch()).get('tab')
  const tab = tabs.find(({ id }) => id === wanted)?.id ?? 'overview'
  const { feature } = state.view
  const { word, tone } = stateLabel[issue.state]
  return (
    <div data-testid="issue-inspector" data-issue={issue.number} className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-start gap-2 py-2.5 pr-2.5 pl-4">
        <div className="min-w-0 flex-1">
          <p className="mb-1 flex flex-wrap items-center gap-2">
            <span className="numbers text-small text-ink-3">#{issue.number}</span>
            <StatusChip word={word} tone={tone} data-testid="issue-state" />
          </p>
          <h2 className="text-title leading-snug font-semibold wrap-anywhere">{issue.title}</h2>
          <PanelActions state={state} issue={issue} card={card} actions={actions} />
        </div>
        {shut}
      </div>
      <div role="tablist" aria-label="Issue" className="flex gap-0.5 border-b border-line px-2.5 pb-2">
        {tabs.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`issue-tab-${id}`}
            aria-selected={tab === id}
            aria-controls="issue-panel"
            onClick={() =>
              navigate(issueAddress(feature, issue.number, id === 'overview' ? undefined : id), { replace: true })
            }
            className="rounded-md px-2 py-1 text-small text-ink-2 hover:bg-hover aria-selected:bg-sunken aria-selected:font-medium aria-selected:text-ink"
          >
            {label}
          </button>
        ))}
      </div>
      <div
        id="issue-panel"
        role="tabpanel"
        tabIndex={-1}
        aria-labelledby={`issue-tab-${tab}`}
        className="min-h-0 flex-1 overflow-y-auto p-4 outline-none"
      >
        {tab === 'overview' ? <IssueOverview state={state} issue={issue} card={card} /> : null}
        {tab === 'changes' ? <IssueChanges issue={issue} /> : null}
        {tab === 'context' ? <IssueContext issue={issue} /> : null}
      </div>
    </div>
  )
}

function PanelActions({ state, issue, card, actions }: Omit<IssuePanelProps, 'shut'>) {
  const { feature } = state.view
  const { number } = issue
  const canRun = state.work === null && issue.state === 'READY' && card.waitsFor.length === 0
  const run = () => runFeature(feature, { id: `run-${newId()}`, issue: number, ...runOptions() })
  return (
    <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
      {card.canUnblock ? (
        <Button
          weight="primary"
          disabled={actions.busy !== null}
          onClick={() => void actions.act('unblocking', () => unblock(feature, number))}
        >
          Unblock
        </Button>
      ) : null}
      {card.reviewed === false ? (
        <Button
          disabled={actions.busy !== null}
          onClick={() => void actions.act('reviewing', () => markReviewed(feature, { issue: number }))}
        >
          Mark reviewed
        </Button>
      ) : null}
      {canRun ? (
        <Button disabled={actions.busy !== null} onClick={() => void actions.act('running', run)}>
          Run only this
        </Button>
      ) : null}
    </div>
  )
}
