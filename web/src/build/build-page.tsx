/** One build: header, open questions, graph or list, and the inspector. */
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { buildAddress, startedRunOf } from '../data/addresses/build.ts'
import { useRunActions } from '../data/calls/use-run-actions.ts'
import { recall, remember } from '../data/memory.ts'
import { useWatched } from '../data/watched.ts'
import { useKeys } from '../ui/keyboard/use-keys.ts'
import { Notices } from '../ui/page/notices.tsx'
import { LoadFailed, NotFound } from '../ui/page-states.tsx'
import { QuestionCard } from '../ui/question-card.tsx'
import { narrowScreen, useMedia, wideScreen } from '../ui/use-media.ts'
import { BuildHeader, type Picture } from './build-header.tsx'
import { NodeTree } from './graph/node-tree.tsx'
import { BuildOverview } from './node/build-overview.tsx'
import { BuildAside, BuildInspector } from './node/inspector.tsx'
import { OnlyNode } from './node/only-node.tsx'
import { type BuildState, buildStore } from './view/build-store.ts'
import { statusOf } from './view/labels.ts'

const BuildGraph = lazy(() => import('./graph/graph.tsx').then(({ BuildGraph }) => ({ default: BuildGraph })))

export function BuildPage({ build, node }: { build: string; node: string | null }) {
  const store = buildStore(build)
  const state = useWatched(store.state)
  useEffect(() => {
    const { spec } = state.view
    if (spec) document.title = `${spec} · Convene`
  }, [state.view])
  if (state.phase === 'loading') return <Reading />
  if (state.phase === 'missing') return <NotFound title="Build not found" list="/builds" all="builds" />
  if (state.phase === 'failed') return <LoadFailed what="build" problem={state.problem} retry={() => store.catchUp()} />
  return <Work state={state} node={node} />
}

function Work({ state, node }: { state: BuildState; node: string | null }) {
  const { view, cards, revision, since } = state
  const narrow = useMedia(narrowScreen)
  const [, navigate] = useLocation()
  const [chosen, setChosen] = useState<Picture | undefined>(() => recall<Picture>('build-picture'))
  const wide = useMedia(wideScreen)
  // One node needs no picture of how nodes hang together: its page is shown at once.
  const only = cards.length === 1 && (node === null || node === cards[0]!.key) ? cards[0] : undefined
  const picture = only ? null : (chosen ?? (narrow ? 'list' : 'graph'))
  const actions = useRunActions(startedRunOf(view.id))
  const status = statusOf(view)
  const isOn = status === 'running' || status === 'waiting'
  useKeys({
    esc: () => (node === null ? false : navigate(buildAddress(view.id))),
    s: () => (isOn ? actions.stop() : status === 'stopped' ? actions.resume() : false),
  })
  const choose = (next: Picture) => {
    setChosen(next)
    remember('build-picture', next)
  }
  return (
    <>
      <main className="flex min-h-0 min-w-0 flex-1 flex-col">
        <BuildHeader
          view={view}
          status={status}
          merged={cards.filter((card) => card.state === 'merged').length}
          nodes={cards.length}
          picture={picture}
          onPicture={choose}
          actions={actions}
        />
        <Notices
          problem={actions.problem}
          questions={view.questions.map((question) => (
            <QuestionCard key={question.id} question={question} linked halted={view.status === 'stopped'} />
          ))}
          failed={view.status === 'failed' ? (view.reason ?? 'no reason given') : null}
          failedTestId="build-failed"
          warnings={view.warnings}
          className="max-h-[46%] shrink-0 overflow-y-auto border-b border-line px-3 py-3 md:px-5"
        />
        <div className="min-h-0 flex-1">
          {cards.length === 0 ? (
            <Empty status={status} />
          ) : only ? (
            <OnlyNode view={view} card={only} status={status} />
          ) : picture === 'graph' ? (
            <Suspense fallback={<Reading />}>
              <BuildGraph view={view} cards={cards} revision={revision} since={since} selected={node} />
            </Suspense>
          ) : (
            <div className="h-full overflow-y-auto p-3.5 md:p-5">
              <div className="mx-auto max-w-[760px]">
                <NodeTree build={view.id} cards={cards} selected={node} since={since} />
              </div>
            </div>
          )}
        </div>
        <Announcer state={state} />
      </main>
      {only ? (
        wide && (
          <BuildAside>
            <BuildOverview view={view} status={status} brief />
          </BuildAside>
        )
      ) : (
        <BuildInspector view={view} cards={cards} node={node} status={status} />
      )}
    </>
  )
}

/** Announces changes to screen readers. */
function Announcer({ state: { cards } }: { state: BuildState }) {
  const settled = cards.filter(({ state }) => state === 'merged' || state === 'failed' || state === 'question')
  const text = settled.map(({ id, words }) => `${id}: ${words}`).at(-1) ?? ''
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {text}
    </div>
  )
}

function Empty({ status }: { status: string }) {
  return (
    <div className="grid h-full place-items-center p-6 text-center text-ink-2">
      <p role="status">
        {status === 'running'
          ? 'Preparing the repository, the worktrees and the first node…'
          : 'The build ended before its first node started.'}
      </p>
    </div>
  )
}

function Reading() {
  return (
    <div role="status" className="grid flex-1 place-items-center p-5">
      <span className="sr-only">Loading the build…</span>
      <div aria-hidden="true" className="flex flex-col items-center gap-10 opacity-60">
        <span className="pulse block h-28 w-60 rounded-xl bg-line" />
        <span className="flex gap-8 max-[759px]:hidden">
          <span className="pulse block h-28 w-60 rounded-xl bg-line" />
          <span className="pulse block h-28 w-60 rounded-xl bg-line" />
        </span>
      </div>
    </div>
  )
}
