/** Every run of the project as a tree, newest first, filtered by kind, status and text. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import { runAddress } from '../data/addresses/run.ts'
import type { ListedRun } from '../data/calls/runs.ts'
import { useRunActions } from '../data/calls/use-run-actions.ts'
import { useList } from '../data/feed/followed-list.ts'
import { Button } from '../ui/button.tsx'
import { Chip, Dot } from '../ui/chip.tsx'
import { CutName } from '../ui/cut-name.tsx'
import { Elapsed } from '../ui/elapsed.tsx'
import { count, since, spending } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import { ListLoading } from '../ui/page/list-page.tsx'
import { Choice } from './view/choice.tsx'
import { isHalted, isOn, kindLabel, shortRun, statusLabel } from './view/labels.ts'
import { type RunsFilter, type RunsRow, rowsOf } from './view/runs-list.ts'
import { runs as runsState } from './view/runs-store.ts'

const everything: RunsFilter = { text: '', kind: '', status: '' }

export function RunsPage() {
  const { lines: runs, problem } = useList(runsState)
  const [filter, setFilter] = useState(everything)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => rowsOf(runs ?? [], filter, (run) => open.has(run)), [runs, filter, open])
  const fold = (run: string) => {
    const next = new Set(open)
    if (!next.delete(run)) next.add(run)
    setOpen(next)
  }
  if (runs?.length === 0) return <NoRuns />
  return (
    <main className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="mx-auto flex w-full max-w-[1120px] flex-wrap items-center gap-2 px-4 pt-5 pb-3 md:px-6">
        <h1 className="text-large font-semibold">Runs</h1>
        {runs ? <Chip>{count(runs.filter(({ parent }) => parent === undefined).length)}</Chip> : null}
        <span className="flex-1" />
        <label className="w-56 max-w-full max-[759px]:order-last max-[759px]:w-full">
          <span className="sr-only">Search in the runs</span>
          <input
            type="search"
            placeholder="Search in the runs"
            value={filter.text}
            onChange={(event) => setFilter({ ...filter, text: event.target.value })}
            className="h-[30px] w-full rounded-lg border border-line bg-panel px-2.5 text-small placeholder:text-ink-3"
          />
        </label>
        <Choice label="Kind of run" value={filter.kind} onChange={(kind) => setFilter({ ...filter, kind })}>
          <option value="">all kinds</option>
          {namesIn(runs, ({ kind }) => kind).map((kind) => (
            <option key={kind} value={kind}>
              {kindLabel(kind)}
            </option>
          ))}
        </Choice>
        <Choice label="State" value={filter.status} onChange={(status) => setFilter({ ...filter, status })}>
          <option value="">all states</option>
          {namesIn(runs, ({ status }) => status).map((status) => (
            <option key={status} value={status}>
              {statusLabel(status).word}
            </option>
          ))}
        </Choice>
      </div>
      {runs ? (
        <Rows rows={rows} onFold={fold} onAll={() => setFilter(everything)} />
      ) : (
        <ListLoading
          what="runs"
          problem={problem}
          retry={() => runsState.read()}
          className="mx-auto w-full max-w-[1120px] px-6"
        />
      )}
    </main>
  )
}

const namesIn = (runs: readonly ListedRun[] | null, read: (run: ListedRun) => string) =>
  [...new Set((runs ?? []).map(read))].sort()

const columns = 'grid shrink-0 grid-cols-[4.5rem_4.5rem] gap-x-3 text-right sm:grid-cols-[5.5rem_5.5rem_5rem]'

function Headings() {
  return (
    <div aria-hidden="true" className="mx-auto flex w-full max-w-[1120px] justify-end px-4 pb-1 md:px-6">
      <p className={`caption ${columns}`}>
        <span className="max-sm:hidden">started</span>
        <span>took</span>
        <span>cost</span>
      </p>
    </div>
  )
}

function Rows({ rows, onFold, onAll }: { rows: readonly RunsRow[]; onFold(run: string): void; onAll(): void }) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 58,
    getItemKey: (index) => rows[index]!.run.id,
    overscan: 10,
  })
  return (
    <section
      ref={scroller}
      aria-label="Runs"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto outline-offset-[-2px]"
    >
      {rows.length > 0 ? (
        <Headings />
      ) : (
        <p className="p-6 text-center text-ink-2">
          No matching runs.{' '}
          <button type="button" onClick={onAll} className="text-accent underline underline-offset-2">
            Show all
          </button>
        </p>
      )}
      <div
        data-testid="runs"
        className="relative mx-auto w-full max-w-[1120px]"
        style={{ height: virtualizer.getTotalSize() + 24 }}
      >
        {virtualizer.getVirtualItems().map(({ index, key, start }) => (
          <div
            key={key}
            data-index={index}
            ref={virtualizer.measureElement}
            className="absolute inset-x-0 top-0 px-4 md:px-6"
            style={{ transform: `translateY(${start}px)` }}
          >
            <Row row={rows[index]!} onFold={() => onFold(rows[index]!.run.id)} />
          </div>
        ))}
      </div>
    </section>
  )
}

function Row({ row: { run, depth, below, open, cost }, onFold }: { row: RunsRow; onFold(): void }) {
  const { word, tone } = statusLabel(run.status)
  const title = run.title || shortRun(run.id)
  return (
    <div
      data-testid="run-line"
      data-run={run.id}
      data-status={run.status}
      className={`shows-actions flex items-center gap-1.5 border-line py-2 ${depth === 0 ? 'border-t' : ''}`}
      style={{ paddingLeft: Math.min(6, depth) * 22 }}
    >
      {below > 0 ? (
        <button
          type="button"
          aria-expanded={open}
          aria-label={`Runs below ${title}`}
          onClick={onFold}
          className="grid size-6 shrink-0 place-items-center rounded-md text-ink-3 hover:bg-hover hover:text-ink"
        >
          <span className={open ? '' : '-rotate-90'}>
            <Icon name="chevron" size={14} />
          </span>
        </button>
      ) : (
        <span className="w-6 shrink-0" />
      )}
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 items-center gap-2">
          <Dot tone={tone} />
          <Link href={runAddress(run.id)} className="min-w-0 font-medium hover:underline">
            <CutName name={title} />
          </Link>
          <span className="shrink-0 text-small text-ink-3 max-sm:hidden">{kindLabel(run.kind)}</span>
        </p>
        <p className="flex min-w-0 gap-x-3 pl-[15px] text-small text-ink-3">
          <span className="shrink-0 sm:hidden">{kindLabel(run.kind)}</span>
          <span className={`shrink-0 ${tone === 'bad' ? 'text-bad' : tone === 'warn' ? 'text-warn' : ''}`}>{word}</span>
          {run.feature && run.feature !== run.title ? <span className="min-w-0 truncate">{run.feature}</span> : null}
          {run.reason && run.reason !== run.status ? (
            <span className="min-w-0 truncate" title={run.reason}>
              {run.reason}
            </span>
          ) : null}
        </p>
      </div>
      <Action run={run} title={title} />
      <p className={`text-small text-ink-2 ${columns}`}>
        <time dateTime={run.created_at} title={new Date(run.created_at).toLocaleString()} className="max-sm:hidden">
          {since(run.created_at)}
        </time>
        <Elapsed since={run.created_at} until={isOn(run.status) ? null : run.updated_at} />
        <span className="numbers" data-testid="run-cost">
          {cost.asks > 0 ? spending(cost) : '–'}
        </span>
      </p>
    </div>
  )
}

/** Nothing to do with a run that has ended. */
function Action({ run, title }: { run: ListedRun; title: string }) {
  const { busy, problem, stop, resume } = useRunActions(run.id)
  // Child runs are stopped and resumed with their root.
  if (run.parent !== undefined || !(isOn(run.status) || isHalted(run.status))) return null
  const [label, act] = isOn(run.status) ? ['Stop', stop] : ['Resume', resume]
  return (
    <Button
      weight={isOn(run.status) ? 'stop' : 'plain'}
      onClick={act}
      disabled={busy !== null}
      aria-label={`${label} ${title}`}
      title={problem ?? undefined}
      className={problem ? 'border-bad' : ''}
    >
      {busy === 'stopping' ? 'Stopping…' : busy === 'resuming' ? 'Resuming…' : label}
    </Button>
  )
}

function NoRuns() {
  return (
    <main className="grid flex-1 place-items-center overflow-auto p-6">
      <div className="max-w-lg">
        <h1 className="text-large font-semibold">A run is everything Convene does for one request</h1>
        <p className="mt-2 text-ink-2">
          Each message, plan, build and ship is a run. Every step is recorded, so you can see what happened when, why,
          and what it cost. There are none yet: write a message in a{' '}
          <Link href="/" className="text-accent underline underline-offset-2">
            room
          </Link>
          , or{' '}
          <Link href="/plans/new" className="text-accent underline underline-offset-2">
            describe a goal
          </Link>
          .
        </p>
      </div>
    </main>
  )
}
