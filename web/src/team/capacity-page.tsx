/** The processes that share the project, how busy they are, and the runs that wait for one. */
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { runAddress } from '../data/addresses/run.ts'
import { type Capacity, getCapacity, type Worker } from '../data/calls/team.ts'
import { Chip, Dot } from '../ui/chip.tsx'
import { ago, plural } from '../ui/format.ts'
import { ListLoading } from '../ui/page/list-page.tsx'

const everyMs = 2000

export function CapacityPage() {
  const { capacity, problem, read } = useCapacity()
  if (!capacity) return <ListLoading what="processes" problem={problem} retry={read} />
  const alive = capacity.workers.filter((worker) => worker.alive)
  const ended = capacity.workers.filter((worker) => !worker.alive)
  return (
    <>
      {problem ? (
        <p role="alert" className="mb-3 text-small text-bad">
          {problem}
        </p>
      ) : null}
      <Totals workers={alive} waiting={capacity.waiting.length} />
      <h2 className="caption mt-6 mb-2">Processes</h2>
      <ul data-testid="workers" className="space-y-2">
        {alive.map((worker) => (
          <li key={worker.id}>
            <WorkerCard worker={worker} />
          </li>
        ))}
      </ul>
      <Waiting runs={capacity.waiting} />
      {ended.length > 0 ? (
        <details className="mt-6">
          <summary className="caption w-fit cursor-default">Ended ({ended.length})</summary>
          <ul className="mt-2 space-y-2">
            {ended.map((worker) => (
              <li key={worker.id}>
                <WorkerCard worker={worker} />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </>
  )
}

/** Reads again every two seconds while the page is visible: no event tells of a process that does nothing. */
function useCapacity() {
  const [capacity, setCapacity] = useState<Capacity | null>(null)
  const [problem, setProblem] = useState<string>()
  const read = () =>
    getCapacity().then(
      (value) => {
        setCapacity(value)
        setProblem(undefined)
      },
      (error: Error) => setProblem(error.message),
    )
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads with the setters alone, which never change
  useEffect(() => {
    void read()
    const timer = setInterval(() => document.visibilityState === 'visible' && void read(), everyMs)
    return () => clearInterval(timer)
  }, [])
  return { capacity, problem, read }
}

function Totals({ workers, waiting }: { workers: readonly Worker[]; waiting: number }) {
  const busy = workers.reduce((sum, worker) => sum + worker.busy, 0)
  const unlimited = workers.some(({ capacity }) => capacity === null)
  const places = workers.reduce((sum, { capacity }) => sum + (capacity ?? 0), 0)
  return (
    <dl className="grid grid-cols-3 gap-2">
      <Figure label="processes" value={String(workers.length)} />
      <Figure label="runs at work" value={unlimited ? String(busy) : `${busy} of ${places}`} />
      <Figure label="runs waiting" value={String(waiting)} tone={waiting > 0 ? 'text-warn' : ''} />
    </dl>
  )
}

function Figure({ label, value, tone = '' }: { label: string; value: string; tone?: string }) {
  return (
    <div className="rounded-[10px] border border-line bg-panel px-3 py-2.5">
      <dt className="text-small text-ink-3">{label}</dt>
      <dd className={`numbers text-large font-semibold ${tone}`}>{value}</dd>
    </div>
  )
}

function WorkerCard({ worker }: { worker: Worker }) {
  const { host, pid, started, capacity, busy, agents, version, alive } = worker
  const takes =
    capacity === null
      ? 'any number of runs at once'
      : capacity === 0
        ? 'serves, takes no runs'
        : `${plural(capacity, 'run')} at once`
  return (
    <div data-testid="worker" className="rounded-[10px] border border-line bg-panel px-3.5 py-2.5">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Dot tone={alive ? (busy > 0 ? 'live' : 'ok') : 'plain'} />
        <span className="min-w-0 truncate font-medium">{host}</span>
        <span className="text-small text-ink-3">
          process <span className="numbers">{pid}</span>
        </span>
        <span className="flex-1" />
        {alive ? (
          <Chip tone={busy > 0 ? 'live' : 'plain'}>{busy > 0 ? `${plural(busy, 'run')} at work` : 'idle'}</Chip>
        ) : (
          <Chip>ended</Chip>
        )}
      </p>
      {alive && capacity ? <Load busy={busy} capacity={capacity} /> : null}
      <p className="mt-1.5 flex flex-wrap gap-x-4 gap-y-0.5 text-small text-ink-3">
        <span>{takes}</span>
        <span className="min-w-0 truncate">{agents.length > 0 ? agents.join(', ') : 'no agents'}</span>
        {version === '' ? null : <span>version {version}</span>}
        <time dateTime={started} title={new Date(started).toLocaleString()}>
          started {ago(started) === 'now' ? 'just now' : `${ago(started)} ago`}
        </time>
      </p>
    </div>
  )
}

function Load({ busy, capacity }: { busy: number; capacity: number }) {
  const share = Math.min(1, busy / capacity)
  return (
    <div aria-hidden="true" className="mt-2 h-1.5 overflow-hidden rounded-full bg-sunken">
      <div
        className={`h-full rounded-full ${share >= 1 ? 'bg-warn' : 'bg-live'}`}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  )
}

function Waiting({ runs }: { runs: Capacity['waiting'] }) {
  return (
    <>
      <h2 className="caption mt-6 mb-2">Waiting for a process</h2>
      {runs.length === 0 ? (
        <p className="text-ink-2">No run is waiting for a process.</p>
      ) : (
        <ul data-testid="waiting-runs" className="rounded-[10px] border border-line bg-panel">
          {runs.map(({ run, kind, since }) => (
            <li key={run} className="flex items-center gap-3 px-3.5 py-2 not-first:border-t not-first:border-line">
              <Link href={runAddress(run)} className="min-w-0 flex-1 truncate hover:underline">
                {run}
              </Link>
              <span className="shrink-0 text-small text-ink-3">{kind}</span>
              <time dateTime={since} className="shrink-0 text-small text-ink-2">
                {ago(since)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
