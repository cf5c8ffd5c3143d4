/** Every decision of a run with its figures, and a replay that compares them. */
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { decisionTypes, type RunOverview } from '../../../../src/runs/overview.ts'
import { type RunPlace, runAddress } from '../../data/addresses/run.ts'
import { type Replayed, replayRun } from '../../data/calls/runs.ts'
import { Button } from '../../ui/button.tsx'
import { plural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { EventRows } from '../events/event-rows.tsx'
import { useEventList } from '../events/use-event-list.ts'
import { Choice } from '../view/choice.tsx'
import { timeOfDay } from '../view/clock.ts'
import { shortRun } from '../view/labels.ts'
import { decisionFigures } from './decision-figures.ts'

export function DecisionsTab({ view, place }: { view: RunOverview; place: RunPlace }) {
  const [, navigate] = useLocation()
  const [type, setType] = useState('')
  const found = view.types.filter(({ name }) => decisionTypes.some((each) => each === name))
  const total = found.reduce((sum, { value }) => sum + value, 0)
  const { list, state } = useEventList({
    run: view.run,
    order: 'newest',
    types: type === '' ? [...decisionTypes] : [type],
  })
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="decisions">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2 md:px-4">
        <span className="text-small text-ink-2">{plural(total, 'decision')}</span>
        <Choice label="Kind of decision" value={type} onChange={setType}>
          <option value="">all kinds</option>
          {found
            .toSorted((one, other) => one.name.localeCompare(other.name))
            .map(({ name, value }) => (
              <option key={name} value={name}>{`${name} (${value})`}</option>
            ))}
        </Choice>
        <span className="flex-1" />
        <Replay run={view.run} />
      </div>
      <EventRows
        list={list}
        state={state}
        label="Decisions"
        rowHeight={58}
        empty="No decisions yet."
        row={(event) => (
          <DecisionLine
            event={event}
            run={view.run}
            chosen={event.seq === place.at}
            onChoose={() => {
              const at = event.seq === place.at ? undefined : event.seq
              navigate(runAddress(view.run, { tab: 'decisions', at }), { replace: true })
            }}
          />
        )}
      />
    </div>
  )
}

interface DecisionLineProps {
  event: StoredEvent
  run: string
  chosen: boolean
  onChoose(): void
}

/** The node it was about, else the run. */
function nodeOrRun({ run, data }: StoredEvent): string {
  const { node } = (data ?? {}) as { node?: unknown }
  return typeof node === 'string' ? node : shortRun(run ?? '')
}

function DecisionLine({ event, run, chosen, onChoose }: DecisionLineProps) {
  const { outcome, by, because, figures } = decisionFigures(event)
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      data-testid="decision-line"
      data-type={event.type}
      className="block w-full border-b border-line px-3 py-2 text-left hover:bg-hover aria-pressed:bg-accent-soft md:px-4"
    >
      <span className="flex items-baseline gap-2.5 text-small">
        <time dateTime={event.ts} className="numbers shrink-0 text-tiny text-ink-3">
          {timeOfDay(Date.parse(event.ts))}
        </time>
        <b className="min-w-0 truncate font-medium">{outcome || event.type}</b>
        <span className="ml-auto max-w-[45%] shrink-0 truncate text-tiny text-ink-3">
          {event.run && event.run !== run ? `${nodeOrRun(event)} · ` : ''}
          {by}
        </span>
      </span>
      <span className="mt-0.5 flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-0.5 text-tiny text-ink-2">
        <code className="numbers text-ink-3">{event.type}</code>
        {because ? <span className="max-w-full truncate">{because.slice(0, 220)}</span> : null}
        {figures.map(({ name, value }) => (
          <span key={name} className="whitespace-nowrap">
            <span className="text-ink-3">{name}</span> <span className="numbers">{value}</span>
          </span>
        ))}
      </span>
    </button>
  )
}

type Replaying =
  | { state: 'idle' }
  | { state: 'busy' }
  | { state: 'done'; replayed: Replayed }
  | { state: 'failed'; problem: string }

/** Replays every decision from the log and shows which would differ today. */
function Replay({ run }: { run: string }) {
  const [replaying, setReplaying] = useState<Replaying>({ state: 'idle' })
  const replay = () => {
    setReplaying({ state: 'busy' })
    replayRun(run).then(
      (replayed) => setReplaying({ state: 'done', replayed }),
      (error) => setReplaying({ state: 'failed', problem: error instanceof Error ? error.message : String(error) }),
    )
  }
  return (
    <>
      <Button
        onClick={replay}
        disabled={replaying.state === 'busy'}
        title="Re-runs every decision from the log and compares. Calls no agent and changes nothing"
      >
        <Icon name="play" size={14} />
        {replaying.state === 'busy' ? 'Replaying…' : 'Replay'}
      </Button>
      {replaying.state === 'failed' ? (
        <p role="alert" className="basis-full text-small text-bad">
          {replaying.problem}
        </p>
      ) : null}
      {replaying.state === 'done' ? <ReplayResult replayed={replaying.replayed} run={run} /> : null}
    </>
  )
}

function ReplayResult({ replayed: { decisions, differences }, run }: { replayed: Replayed; run: string }) {
  const same = differences.length === 0
  return (
    <div
      role="status"
      data-testid="replayed"
      data-decisions={decisions}
      data-differences={differences.length}
      className={`max-h-[40vh] basis-full overflow-y-auto rounded-lg px-3 py-2 text-small ${same ? 'bg-ok-soft text-ok' : 'bg-warn-soft'}`}
    >
      {same ? (
        `${plural(decisions, 'decision')} replayed from the log: no differences.`
      ) : (
        <>
          <p className="font-medium text-warn">
            {`${plural(decisions, 'decision')} replayed: ${differences.length} would differ today.`}
          </p>
          <ul className="mt-1.5 space-y-1.5">
            {differences.map(({ seq, type, was, is }) => (
              <li key={seq} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
                <Link
                  href={runAddress(run, { tab: 'decisions', at: seq })}
                  className="numbers text-accent underline underline-offset-2"
                >
                  {`${type} #${seq}`}
                </Link>
                <code className="numbers text-[11.5px] wrap-anywhere">
                  <del className="text-bad no-underline">{JSON.stringify(was)}</del> → {JSON.stringify(is)}
                </code>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
