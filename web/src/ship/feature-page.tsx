/** One feature: progress, open questions, charts, board or graph, and the chosen issue. */
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { planAddress } from '../data/addresses/plan.ts'
import { featureAddress, rootOf } from '../data/addresses/ship.ts'
import { resumeRun, stopRun } from '../data/calls/rooms.ts'
import { live } from '../data/feed/live.ts'
import { recall, remember } from '../data/memory.ts'
import { type Actions, useActions } from '../data/use-actions.ts'
import { useWatched } from '../data/watched.ts'
import { useKeys } from '../ui/keyboard/use-keys.ts'
import { LoadFailed, NotFound, PageLoading } from '../ui/page-states.tsx'
import { QuestionCard } from '../ui/question-card.tsx'
import { narrowScreen, useMedia } from '../ui/use-media.ts'
import { Board } from './board/board.tsx'
import { type Picture, PictureBar } from './board/picture-bar.tsx'
import { FeatureCharts } from './feature-charts.tsx'
import { FeatureHeader } from './feature-header.tsx'
import { IssueInspector } from './issue-inspector.tsx'
import { ReviewQueue } from './review-queue.tsx'
import { ShipProgress } from './ship-progress.tsx'
import { SyncStatus } from './sync-status.tsx'
import { type FeatureState, featureStore } from './view/feature-store.ts'
import { checkGit } from './view/sync-store.ts'

const IssueGraph = lazy(() => import('./board/issue-graph.tsx').then(({ IssueGraph }) => ({ default: IssueGraph })))

const loading = (
  <PageLoading what="feature" count={10} look="grid-cols-1 gap-3 min-[760px]:grid-cols-5" each="h-20 rounded-[10px]" />
)

export function FeaturePage({ feature, issue }: { feature: string; issue: number | null }) {
  const store = featureStore(feature)
  const state = useWatched(store.state)
  useEffect(() => {
    document.title = `${feature} · Convene`
  }, [feature])
  useGitChecks(feature, state)
  if (state.phase === 'loading') return loading
  if (state.phase === 'missing')
    return <NotFound title={`Feature ${feature} not found`} list="/features" all="features" />
  if (state.phase === 'failed')
    return <LoadFailed what="feature" problem={state.problem} retry={() => store.catchUp()} />
  return <Work state={state} issue={issue} />
}

function Work({ state, issue }: { state: FeatureState; issue: number | null }) {
  const { view, cards, work } = state
  const narrow = useMedia(narrowScreen)
  const [, navigate] = useLocation()
  const [picture, setPicture] = useState<Picture>(() => recall<Picture>('feature-picture') ?? 'board')
  const [reviewing, setReviewing] = useState(false)
  const actions = useActions()
  const choose = (next: Picture) => {
    setPicture(next)
    remember('feature-picture', next)
  }
  useKeys({
    esc: () => (issue === null ? false : navigate(featureAddress(view.feature))),
    g: () => choose(picture === 'board' ? 'graph' : 'board'),
    s: () => {
      if (!work) return false
      const { root, status } = work
      return status === 'stopped'
        ? actions.act('resuming', () => resumeRun(root))
        : actions.act('stopping', () => stopRun(root))
    },
  })
  return (
    <>
      <main className="flex min-h-0 min-w-0 flex-1 flex-col">
        <FeatureHeader state={state} actions={actions} onReview={() => setReviewing(true)} />
        <div className="@container min-h-0 flex-1 overflow-y-auto">
          <div className="flex min-h-full flex-col gap-4 px-3 py-3.5 md:px-5">
            <Notices state={state} actions={actions} />
            <ShipProgress state={state} />
            {cards.length === 0 ? (
              <NoIssuesYet state={state} />
            ) : (
              <>
                <FeatureCharts state={state} />
                <section aria-label="Issues" className="flex min-h-0 flex-1 flex-col gap-2.5">
                  <PictureBar picture={picture} onPicture={choose} feature={view.feature} cards={cards} />
                  {picture === 'board' ? (
                    <Board feature={view.feature} cards={cards} selected={issue} actions={actions} />
                  ) : (
                    <Suspense fallback={loading}>
                      <IssueGraph feature={view.feature} cards={cards} selected={issue} />
                    </Suspense>
                  )}
                </section>
              </>
            )}
            {narrow ? (
              <div className="order-last">
                <SyncStatus feature={view.feature} />
              </div>
            ) : null}
          </div>
        </div>
        <Announcer state={state} />
      </main>
      {issue === null ? null : <IssueInspector state={state} number={issue} actions={actions} />}
      {reviewing ? <ReviewQueue state={state} actions={actions} onClose={() => setReviewing(false)} /> : null}
    </>
  )
}

function NoIssuesYet({ state: { timeline, work } }: { state: FeatureState }) {
  return (
    <p className="text-ink-2">
      {work ? 'Issues appear here when the plan is done, and are built one after another.' : 'No issues.'}{' '}
      {timeline.plan ? (
        <Link href={planAddress(timeline.plan)} className="text-accent underline underline-offset-2">
          The plan
        </Link>
      ) : null}
    </p>
  )
}

const checkEveryMs = 60_000

/** Checks git when the page opens and every minute while it is visible. A running feature checks git itself. */
function useGitChecks(feature: string, { isTimelineRead, work, view }: FeatureState): void {
  const isIdle = isTimelineRead && view.issues.length > 0 && work?.status !== 'running'
  useEffect(() => {
    if (!isIdle) return
    const check = () => {
      if (document.visibilityState === 'visible') void checkGit(feature)
    }
    check()
    const timer = setInterval(check, checkEveryMs)
    document.addEventListener('visibilitychange', check)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', check)
    }
  }, [feature, isIdle])
}

/** Questions and errors. */
function Notices({ state, actions }: { state: FeatureState; actions: Actions }) {
  const { report, ship, timeline, work } = state
  const open = useWatched(live.questions.open)
  const roots = new Set([...timeline.runs.map(({ id }) => rootOf(id)), ...(timeline.ship ? [timeline.ship.run] : [])])
  const questions = open.filter(({ run }) => roots.has(rootOf(run)))
  const last = ship ?? report
  const failed = work || last?.status !== 'failed' ? null : (last.error?.message ?? last.reason ?? 'no reason given')
  if (questions.length === 0 && failed === null && actions.problem === null) return null
  return (
    <div className="space-y-2">
      {actions.problem ? (
        <p role="alert" className="rounded-[10px] bg-bad-soft px-4 py-2.5 text-small text-bad wrap-anywhere">
          {actions.problem}
        </p>
      ) : null}
      {questions.map((question) => (
        <QuestionCard key={question.id} question={question} linked halted={work?.status === 'stopped'} />
      ))}
      {failed === null ? null : (
        <p
          data-testid="run-failed"
          className="rounded-[10px] bg-bad-soft px-4 py-2.5 text-small text-bad wrap-anywhere"
        >
          <b className="font-semibold">The last run failed:</b> {failed}
        </p>
      )}
    </div>
  )
}

/** Announces changes to screen readers. */
function Announcer({ state: { cards } }: { state: FeatureState }) {
  const done = cards.filter(({ state }) => state === 'DONE').length
  const blocked = cards.filter(({ state }) => state === 'BLOCKED')
  const busy = cards.filter(({ state }) => state === 'IN_PROGRESS' || state === 'VERIFYING')
  const words = [
    cards.length > 0 ? `${done} of ${cards.length} issues done` : '',
    ...busy.map(({ number }) => `#${number} in progress`),
    ...blocked.map(({ number }) => `#${number} blocked`),
  ]
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {words.filter(Boolean).join(', ')}
    </div>
  )
}
