/** One run and its child runs: timeline, events, decisions, charts and origins. */
import { lazy, Suspense, useEffect } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { RunOverview } from '../../../src/runs/overview.ts'
import { decisionTypes } from '../../../src/runs/overview.ts'
import { isComparison, placeIn, type RunTab, runAddress } from '../data/addresses/run.ts'
import { useRunActions } from '../data/calls/use-run-actions.ts'
import { live } from '../data/feed/live.ts'
import { useWatched } from '../data/watched.ts'
import { count } from '../ui/format.ts'
import { useKeys } from '../ui/keyboard/use-keys.ts'
import { LoadFailed, NotFound } from '../ui/page-states.tsx'
import { QuestionCard } from '../ui/question-card.tsx'
import { EventsTab } from './events/events-tab.tsx'
import { RunAside } from './run-aside.tsx'
import { RunHeader } from './run-header.tsx'
import { Timeline } from './timeline/timeline.tsx'
import { isHalted, isOn, shortRun } from './view/labels.ts'
import { runStore } from './view/run-store.ts'

const DecisionsTab = lazy(() =>
  import('./figures/decisions-tab.tsx').then(({ DecisionsTab }) => ({ default: DecisionsTab })),
)
const ChartsTab = lazy(() => import('./figures/charts-tab.tsx').then(({ ChartsTab }) => ({ default: ChartsTab })))
const SidesTab = lazy(() => import('./figures/sides-tab.tsx').then(({ SidesTab }) => ({ default: SidesTab })))
const WhyTab = lazy(() => import('./why-tab.tsx').then(({ WhyTab }) => ({ default: WhyTab })))

export function RunPage({ run }: { run: string }) {
  const store = runStore(run)
  const { phase, problem, view, revision } = useWatched(store.state)
  useEffect(() => {
    const title = view.runs.find(({ id }) => id === run)?.title
    document.title = `${title || shortRun(run)} · Convene`
  }, [run, view])
  if (phase === 'loading') return <Reading />
  if (phase === 'missing') return <NotFound title="Run not found" list="/runs" all="runs" />
  if (phase === 'failed') return <LoadFailed what="run" problem={problem} retry={() => store.catchUp()} />
  return <Inspector view={view} revision={revision} />
}

function Inspector({ view, revision }: { view: RunOverview; revision: number }) {
  const [, navigate] = useLocation()
  const place = placeIn(useSearch(), view.run)
  const actions = useRunActions(view.run)
  const status = view.runs.find(({ id }) => id === view.run)?.status ?? 'running'
  const go = (tab: RunTab) => navigate(runAddress(view.run, { tab, ...(tab === 'why' ? { what: place.what } : {}) }))
  useKeys({
    esc: () =>
      place.at === undefined ? false : navigate(runAddress(view.run, { ...place, at: undefined }), { replace: true }),
    s: () => (isOn(status) ? actions.stop() : isHalted(status) ? actions.resume() : false),
  })
  return (
    <>
      <main className="flex min-h-0 min-w-0 flex-1 flex-col" data-testid="run-page">
        <RunHeader view={view} actions={actions} />
        <Questions run={view.run} halted={!isOn(status)} />
        <Tabs view={view} tab={place.tab} onTab={go} />
        <div
          role="tabpanel"
          id="run-panel"
          aria-labelledby={`run-tab-${place.tab}`}
          className="flex min-h-0 flex-1 flex-col"
        >
          <Suspense fallback={<Reading />}>
            {place.tab === 'sides' ? <SidesTab run={view.run} status={status} /> : null}
            {place.tab === 'timeline' ? (
              <Timeline
                view={view}
                revision={revision}
                at={place.at}
                onChoose={(at) => navigate(runAddress(view.run, { tab: 'timeline', at }), { replace: true })}
              />
            ) : null}
            {place.tab === 'events' ? <EventsTab view={view} place={place} /> : null}
            {place.tab === 'decisions' ? <DecisionsTab view={view} place={place} /> : null}
            {place.tab === 'charts' ? <ChartsTab view={view} /> : null}
            {place.tab === 'why' ? <WhyTab key={place.what} run={view.run} what={place.what} /> : null}
          </Suspense>
        </div>
      </main>
      <RunAside view={view} place={place} />
    </>
  )
}

/** Open questions of the run and its child runs. */
function Questions({ run, halted }: { run: string; halted: boolean }) {
  const open = useWatched(live.questions.open).filter((each) => each.run === run || each.run.startsWith(`${run}/`))
  if (open.length === 0) return null
  return (
    <div className="max-h-[38%] shrink-0 space-y-2 overflow-y-auto border-b border-line px-3 py-2.5 md:px-4">
      {open.map((question) => (
        <QuestionCard key={question.id} question={question} linked halted={halted} />
      ))}
    </div>
  )
}

const tabs: { id: RunTab; label: string }[] = [
  { id: 'sides', label: 'Comparison' },
  { id: 'timeline', label: 'Timeline' },
  { id: 'events', label: 'Events' },
  { id: 'decisions', label: 'Decisions' },
  { id: 'charts', label: 'Charts' },
  { id: 'why', label: 'Why' },
]

function Tabs({ view, tab, onTab }: { view: RunOverview; tab: RunTab; onTab(tab: RunTab): void }) {
  const decisions = view.types
    .filter(({ name }) => decisionTypes.some((each) => each === name))
    .reduce((sum, { value }) => sum + value, 0)
  const counts: Partial<Record<RunTab, number>> = { events: view.events, decisions }
  return (
    <div
      role="tablist"
      aria-label="Run"
      className="flex shrink-0 gap-0.5 overflow-x-auto border-b border-line px-2 py-1.5 md:px-3"
    >
      {tabs
        .filter(({ id }) => id !== 'sides' || isComparison(view.run))
        .map(({ id, label }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`run-tab-${id}`}
            aria-selected={tab === id}
            aria-controls="run-panel"
            onClick={() => onTab(id)}
            className="flex shrink-0 items-center gap-1 rounded-md px-2.5 py-1 text-small text-ink-2 hover:bg-hover aria-selected:bg-sunken aria-selected:font-medium aria-selected:text-ink max-[430px]:px-1.5"
          >
            {label}
            {counts[id] ? (
              <span className="numbers text-tiny text-ink-3 max-[430px]:hidden">{count(counts[id])}</span>
            ) : null}
          </button>
        ))}
    </div>
  )
}

function Reading() {
  return (
    <div role="status" className="flex-1 space-y-3 p-5 opacity-60">
      <span className="sr-only">Loading the run…</span>
      {[70, 45, 85, 60].map((width) => (
        <span
          key={width}
          aria-hidden="true"
          className="pulse block h-5 rounded bg-line"
          style={{ width: `${width}%` }}
        />
      ))}
    </div>
  )
}
