/** A slim strip on every page while a ship runs: its progress, links to each floor, and stop. */
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { ShipView } from '../../../src/ship/ship/ship-view.ts'
import { resumeRun, stopRun } from '../data/calls/rooms.ts'
import { latestShip } from '../data/feed/latest-ship.ts'
import { recall, remember } from '../data/memory.ts'
import { useWatched } from '../data/watched.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Dot } from '../ui/chip.tsx'
import { Icon } from '../ui/icons.tsx'
import { type Stage, stagesOf } from './ship-stages.ts'

export function ShipStrip() {
  const view = useWatched(latestShip.view)
  const [dismissed, setDismissed] = useState(() => recall<string>('ship-dismissed'))
  const [problem, setProblem] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what went wrong belongs to where it stood
  useEffect(() => setProblem(null), [view?.run, view?.status])
  if (!view || view.goal === '' || (view.stage === 'over' && (view.run === dismissed || isOld(view)))) return null
  const { run, goal, stage, status } = view
  const act = (what: Promise<unknown>) => what.catch((error: Error) => setProblem(error.message))
  const dismiss = () => {
    remember('ship-dismissed', run)
    setDismissed(run)
  }
  return (
    <section
      aria-label="Shipping"
      data-testid="ship-strip"
      data-stage={stage}
      data-status={status}
      className="flex min-h-9 items-center gap-x-3 border-b border-line bg-panel px-3.5 py-1 text-small md:px-5"
    >
      <span className="flex min-w-0 shrink items-center gap-2 max-[900px]:hidden" title={goal}>
        <Dot tone={status === 'running' ? 'live' : status === 'done' ? 'ok' : status === 'failed' ? 'bad' : 'warn'} />
        <span className="truncate text-ink-2">{goal}</span>
      </span>
      <ol className="flex min-w-0 items-center gap-x-1.5 max-[900px]:flex-wrap min-[901px]:shrink-0">
        {stagesOf(view).map((each, index) => (
          <li
            key={each.name}
            className={`flex shrink-0 items-center gap-x-1.5 ${each.state === 'before' ? 'max-[500px]:hidden' : ''}`}
          >
            {index > 0 ? (
              <span aria-hidden="true" className="text-ink-3 max-[500px]:hidden">
                ·
              </span>
            ) : null}
            <StageLink stage={each} />
          </li>
        ))}
      </ol>
      <span className="ml-auto flex shrink-0 items-center gap-2">
        {problem ? (
          <span role="alert" className="text-bad">
            {problem}
          </span>
        ) : null}
        <Standing view={view} />
        {status === 'running' ? (
          <Button weight="stop" className="h-6.5!" onClick={() => act(stopRun(run))}>
            Stop
          </Button>
        ) : null}
        {status === 'stopped' ? (
          <Button className="h-6.5!" onClick={() => act(resumeRun(run))}>
            Resume
          </Button>
        ) : null}
        {stage === 'over' ? <IconButton icon="close" label="Dismiss" onClick={dismiss} /> : null}
      </span>
    </section>
  )
}

/** Don't show a finished ship to someone who comes back the next day. */
const freshMs = 15 * 60_000
const openedAt = Date.now()

function isOld({ finished }: ShipView): boolean {
  return finished !== undefined && openedAt - Date.parse(finished) > freshMs
}

const tones: Record<Stage['state'], string> = {
  before: 'text-ink-3',
  now: 'font-semibold text-live',
  after: 'text-ok',
  failed: 'font-semibold text-bad',
}

function StageLink({ stage }: { stage: Stage }) {
  const { name, words, state, address } = stage
  const reachable = state !== 'before'
  const content = (
    <>
      {state === 'after' ? <Icon name="check" size={12} /> : null}
      {words}
    </>
  )
  const look = `inline-flex items-center gap-1 whitespace-nowrap ${tones[state]}`
  return reachable ? (
    <Link
      href={address}
      data-stage={name}
      aria-current={state === 'now' ? 'step' : undefined}
      className={`${look} underline-offset-2 hover:underline`}
    >
      {content}
    </Link>
  ) : (
    <span data-stage={name} className={look}>
      {content}
    </span>
  )
}

function Standing({ view }: { view: ShipView }) {
  const { status, questions, blocked } = view
  if (status === 'stopped') return <span className="text-warn">stopped</span>
  if (questions.length > 0) return <span className="text-warn">waiting for you</span>
  if (blocked.length > 0)
    return <span className="text-bad">{blocked.map((number) => `#${number}`).join(', ')} blocked</span>
  return null
}
