/** A run's title, status and totals, with stop, resume, fork and export. */

import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { requestWords } from '../../../src/kernel/ask/cost.ts'
import type { RunOverview } from '../../../src/runs/overview.ts'
import type { SpanKind } from '../../../src/runs/overview-lanes.ts'
import { runAddress, runsAbove } from '../data/addresses/run.ts'
import type { RunActions } from '../data/calls/use-run-actions.ts'
import { IconButton } from '../ui/button.tsx'
import { StatusChip } from '../ui/chip.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { CutName } from '../ui/cut-name.tsx'
import { Elapsed } from '../ui/elapsed.tsx'
import { clock, costWords, count, plural, priceHint } from '../ui/format.ts'
import { MermaidExport } from '../ui/graph/mermaid-export.tsx'
import { Icon } from '../ui/icons.tsx'
import { BackLink } from '../ui/page/back-link.tsx'
import { StopResume } from '../ui/page/stop-resume.tsx'
import { ForkDialog } from './fork-dialog.tsx'
import { runGraph } from './timeline/run-mermaid.ts'
import { floorPlace } from './view/floor-link.ts'
import { isHalted, isOn, kindLabel, shortRun, statusLabel } from './view/labels.ts'
import { costOf, treeOf } from './view/run-tree.ts'

export function RunHeader({ view, actions }: { view: RunOverview; actions: RunActions }) {
  const [forking, setForking] = useState(false)
  const line = view.runs.find(({ id }) => id === view.run)
  const top = treeOf(view.runs).find(({ run }) => run.id === view.run)
  const status = line?.status ?? 'running'
  const { word, tone } = statusLabel(waitsOnly(view, status) ? 'waiting' : status)
  const cost = top ? costOf(top, ({ spent }) => spent) : null
  const place = line ? floorPlace(line) : null
  const above = runsAbove(view.run)
  return (
    <header className="shrink-0 border-b border-line px-3 py-2.5 md:px-4" data-testid="run-header" data-status={status}>
      {above.length > 0 ? (
        <nav aria-label="Runs above" className="mb-0.5 flex flex-wrap items-center gap-1 text-tiny text-ink-3">
          {above.map((run) => (
            <span key={run} className="flex items-center gap-1">
              <Link href={runAddress(run)} className="hover:text-ink hover:underline">
                {shortRun(run)}
              </Link>
              /
            </span>
          ))}
          <span>{shortRun(view.run)}</span>
        </nav>
      ) : null}
      <div className="flex items-center gap-x-2">
        <BackLink href="/runs" label="Runs" always />
        <h1 className="min-w-0 text-title font-semibold">
          <CutName name={line?.title || shortRun(view.run)} />
        </h1>
        <StatusChip word={word} tone={tone} data-testid="run-status" className="shrink-0" />
        <span className="flex-1" />
        {place ? (
          <Link
            href={place.href}
            aria-label={place.label}
            title={place.label}
            className="inline-flex h-[30px] shrink-0 items-center rounded-lg px-2 text-small text-accent hover:bg-hover max-[759px]:px-1"
          >
            <span className="min-[760px]:hidden">
              <Icon name="link" />
            </span>
            <span className="max-[759px]:hidden">{place.label}</span>
          </Link>
        ) : null}
        <MermaidExport graph={() => runGraph(view, Date.now())} name={`run-${shortRun(view.run)}`} />
        <IconButton icon="branch" label="Fork from a step" onClick={() => setForking(true)} />
        <StopResume isRunning={isOn(status)} isStopped={isHalted(status)} actions={actions} />
      </div>
      <div className="mt-1.5">
        <dl className="flex min-w-0 flex-wrap items-center gap-x-3.5 gap-y-0.5 text-small text-ink-2 [&>div]:flex [&>div]:items-center [&>div]:gap-1.5">
          <Detail name="kind">{kindLabel(line?.kind ?? '')}</Detail>
          {line?.feature && line.feature !== line.title ? <Detail name="feature">{line.feature}</Detail> : null}
          {view.from > 0 ? (
            <>
              <Detail name="started">{clock(new Date(view.from).toISOString())}</Detail>
              <Detail name="time">
                <Elapsed
                  since={new Date(view.from).toISOString()}
                  until={isOn(status) ? null : new Date(line?.to ?? view.to).toISOString()}
                />
              </Detail>
            </>
          ) : null}
          <Detail name="events">{plural(view.events, 'event')}</Detail>
          {cost ? (
            <>
              <Detail name="requests">{`${requestWords(cost)}, ${count(cost.tokens)} tokens`}</Detail>
              <Detail name="cost">
                <span className="numbers" data-testid="run-cost" title={cost.usd === null ? priceHint : undefined}>
                  {costWords(cost.usd)}
                </span>
              </Detail>
            </>
          ) : null}
          {view.runs.length > 1 ? <Detail name="runs below">{plural(view.runs.length - 1, 'run')} below</Detail> : null}
          {line?.forked_from ? (
            <Detail name="forked from">
              forked from{' '}
              <Link href={runAddress(line.forked_from.run)} className="text-accent underline underline-offset-2">
                {shortRun(line.forked_from.run)}
              </Link>
              , step {line.forked_from.step}
            </Detail>
          ) : null}
          <Detail name="id">
            <code className="numbers max-w-36 truncate text-tiny text-ink-3">{view.run}</code>
            <CopyButton text={view.run} label="Copy the id" className="size-6" />
          </Detail>
        </dl>
        {line?.reason && !isOn(status) && status !== 'done' && line.reason !== status ? (
          <p className="mt-1 text-small text-bad wrap-anywhere" data-testid="run-reason">
            {line.reason}
          </p>
        ) : null}
        {actions.problem ? (
          <p role="alert" className="mt-1 text-small text-bad">
            {actions.problem}
          </p>
        ) : null}
      </div>
      {forking ? <ForkDialog run={view.run} onClose={() => setForking(false)} /> : null}
    </header>
  )
}

/** A question is open and no ask is in progress. */
function waitsOnly({ lanes }: RunOverview, status: string): boolean {
  const open = (kind: SpanKind) => lanes.some((lane) => lane.kind === kind && lane.spans.some(({ to }) => to === null))
  return isOn(status) && open('question') && !open('ask')
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="sr-only">{name}</dt>
      <dd className="flex min-w-0 items-center gap-1">{children}</dd>
    </div>
  )
}
