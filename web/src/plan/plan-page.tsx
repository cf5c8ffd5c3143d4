/** One plan: header, board of phases, open questions, and the chosen phase, register or issues. */
import { useEffect } from 'react'
import { Link, Redirect, useLocation } from 'wouter'
import type { PlanView } from '../../../src/plan/view.ts'
import { planAddress } from '../data/addresses/plan.ts'
import { useRunActions } from '../data/calls/use-run-actions.ts'
import { type PlanState, planStore } from '../data/feed/plan-store.ts'
import { statusOf } from '../data/plan-status.ts'
import { useWatched } from '../data/watched.ts'
import { MermaidExport } from '../ui/graph/mermaid-export.tsx'
import { useKeys } from '../ui/keyboard/use-keys.ts'
import { Notices } from '../ui/page/notices.tsx'
import { LoadFailed, NotFound, PageLoading } from '../ui/page-states.tsx'
import { useMedia, wideScreen } from '../ui/use-media.ts'
import { IssuesView } from './issues-view.tsx'
import { Card } from './phase/card.tsx'
import { Concerns, DecisionRegister } from './phase/decisions.tsx'
import { PhaseBoard } from './phase/phase-board.tsx'
import { PhaseDetail } from './phase/phase-detail.tsx'
import { planMermaid } from './phase/plan-mermaid.ts'
import { PlanQuestion } from './phase/plan-question.tsx'
import { PlanAside, Spent } from './plan-aside.tsx'
import { PlanHeader } from './plan-header.tsx'
import { PlanOverview } from './plan-overview.tsx'
import { isOver, phaseTitle, stateLabel } from './view/labels.ts'
import { cardsOf } from './view/phase-card.ts'

export type PlanTab =
  | { kind: 'overview' }
  | { kind: 'decisions' }
  | { kind: 'issues' }
  | { kind: 'phase'; phase: string }

export function PlanPage({ plan, place }: { plan: string; place: PlanTab }) {
  const store = planStore(plan)
  const state = useWatched(store.state)
  useEffect(() => {
    const { goal } = state.view
    if (goal) document.title = `${goal.slice(0, 60)} · Convene`
  }, [state.view])
  if (state.phase === 'loading')
    return (
      <PageLoading what="plan" count={11} look="grid-cols-3 gap-2 min-[760px]:grid-cols-6" each="h-16 rounded-lg" />
    )
  if (state.phase === 'missing') return <NotFound title="Plan not found" list="/plans" all="plans" />
  if (state.phase === 'failed') return <LoadFailed what="plan" problem={state.problem} retry={() => store.catchUp()} />
  // Opened by the plan's own name: redirect to its run.
  if (state.view.run !== plan) return <Redirect to={planAddress(state.view.run)} replace />
  return <Work state={state} place={place} />
}

function Work({ state, place }: { state: PlanState; place: PlanTab }) {
  const { view, budget } = state
  const wide = useMedia(wideScreen)
  const [, navigate] = useLocation()
  const actions = useRunActions(view.run)
  const status = statusOf(view)
  const over = isOver(status)
  const selected = place.kind === 'phase' ? place.phase : null
  const phase = view.phases.find(({ id }) => id === selected)
  useKeys({
    esc: () => (place.kind === 'overview' ? false : navigate(planAddress(view.run))),
    s: () => (over ? (status === 'stopped' ? actions.resume() : false) : actions.stop()),
  })
  return (
    <>
      <main className="flex min-h-0 min-w-0 flex-1 flex-col">
        <PlanHeader view={view} budget={budget} status={status} actions={actions} />
        <div className="min-h-0 flex-1 overflow-y-auto">
          <PhaseBoard view={view} cards={cardsOf(view, over)} selected={selected} />
          <div className="mx-auto max-w-[1040px] px-3 py-3 md:px-5">
            <Notices
              problem={actions.problem}
              questions={view.questions.map((question) => (
                <PlanQuestion key={question.id} question={question} halted={view.status === 'stopped'} />
              ))}
              failed={view.status === 'failed' ? (view.reason ?? 'no reason given') : null}
              failedTestId="plan-failed"
              warnings={view.warnings}
              className="mb-3"
            />
            <Places view={view} place={place} />
            {place.kind === 'overview' ? <PlanOverview view={view} over={over} /> : null}
            {place.kind === 'decisions' ? (
              <Card title="Decisions">
                <DecisionRegister view={view} />
                <Concerns view={view} />
                {wide ? null : <Spent view={view} budget={budget} />}
              </Card>
            ) : null}
            {place.kind === 'issues' ? <IssuesView view={view} /> : null}
            {place.kind === 'phase' ? (
              phase ? (
                <PhaseDetail key={phase.id} view={view} phase={phase} over={over} />
              ) : (
                <p className="text-ink-2">This plan has no phase {place.phase}.</p>
              )
            ) : null}
          </div>
        </div>
        <Announcer view={view} over={over} />
      </main>
      {wide && place.kind !== 'decisions' ? <PlanAside view={view} budget={budget} /> : null}
    </>
  )
}

function Places({ view, place }: { view: PlanView; place: PlanTab }) {
  const standing = view.decisions.filter(
    ({ withdrawn, supersededBy }) => !withdrawn && supersededBy === undefined,
  ).length
  const places = [
    { kind: 'overview', href: planAddress(view.run), label: 'Overview', count: 0 },
    { kind: 'decisions', href: planAddress(view.run, 'decisions'), label: 'Decisions', count: standing },
    { kind: 'issues', href: planAddress(view.run, 'issues'), label: 'Issues', count: view.issues },
  ]
  return (
    <nav aria-label="Plan" className="mb-3 flex gap-0.5">
      {places.map(({ kind, href, label, count }) => (
        <Link
          key={kind}
          href={href}
          aria-current={place.kind === kind ? 'page' : undefined}
          className="flex items-center gap-1 rounded-md px-2 py-1 text-small text-ink-2 hover:bg-hover aria-[current=page]:bg-sunken aria-[current=page]:font-medium aria-[current=page]:text-ink"
        >
          {label}
          {count > 0 ? <span className="numbers text-tiny text-ink-3">{count}</span> : null}
        </Link>
      ))}
      <span className="flex-1" />
      <MermaidExport graph={() => planMermaid(view, isOver(statusOf(view)))} name={view.id || 'plan'} />
    </nav>
  )
}

/** Announces changes to screen readers. */
function Announcer({ view, over }: { view: PlanView; over: boolean }) {
  const newest = view.phases
    .filter(({ started }) => started)
    .toSorted((a, b) => a.started!.localeCompare(b.started!))
    .at(-1)
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {newest ? `${phaseTitle(newest.id)}: ${stateLabel(newest, over).word}` : ''}
    </div>
  )
}
