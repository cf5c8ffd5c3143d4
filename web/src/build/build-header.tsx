/** A build's name, status, strategy, branch, cost and time, with stop and resume. */
import { Link } from 'wouter'
import type { BuildView } from '../../../src/build/view.ts'
import { issueOfBuild } from '../data/addresses/build.ts'
import type { RunActions } from '../data/calls/use-run-actions.ts'
import { Chip, StatusChip } from '../ui/chip.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { CutName } from '../ui/cut-name.tsx'
import { Elapsed } from '../ui/elapsed.tsx'
import { spending } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import { BackLink } from '../ui/page/back-link.tsx'
import { Segmented } from '../ui/page/segmented.tsx'
import { StopResume } from '../ui/page/stop-resume.tsx'
import { RunLink } from '../ui/run-link.tsx'
import { type ShownStatus, statusLabel } from './view/labels.ts'

export type Picture = 'graph' | 'list'

interface BuildHeaderProps {
  view: BuildView
  status: ShownStatus
  merged: number
  /** Including nodes that have not started. */
  nodes: number
  /** Null: there is one node, and no choice. */
  picture: Picture | null
  onPicture(picture: Picture): void
  actions: RunActions
}

export function BuildHeader({ view, status, merged, nodes, picture, onPicture, actions }: BuildHeaderProps) {
  const { word, tone } = statusLabel[status]
  const issue = issueOfBuild(view)
  return (
    <header
      className="shrink-0 border-b border-line px-3 py-2.5 md:px-5"
      data-testid="build-header"
      data-status={status}
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <span className="flex min-w-0 max-w-full items-center gap-1">
          <BackLink href="/builds" label="Builds" />
          <h1 className="min-w-0 text-title font-semibold">
            <CutName name={view.spec} />
          </h1>
        </span>
        <StatusChip word={word} tone={tone} data-testid="build-status" />
        {view.rehearsal ? (
          <Chip tone="warn" className="max-sm:hidden" title="Agents play a script; git, worktrees and tests are real">
            rehearsal
          </Chip>
        ) : null}
        {issue ? (
          <Link
            href={`/features/${encodeURIComponent(issue.feature)}/issues/${issue.number}`}
            className="text-small text-accent underline underline-offset-2"
          >
            Issue #{issue.number} of {issue.feature}
          </Link>
        ) : null}
        <span className="ml-auto flex items-center gap-1">
          <RunLink run={view.id} />
          {picture ? (
            <Segmented label="Show as" name="picture" options={pictures} chosen={picture} onChoose={onPicture} />
          ) : null}
        </span>
        <StopResume
          isRunning={status === 'running' || status === 'waiting'}
          isStopped={status === 'stopped'}
          actions={actions}
        />
        <dl className="flex basis-full min-w-0 flex-wrap items-center gap-x-3.5 gap-y-0.5 text-small text-ink-2 [&>div]:flex [&>div]:items-center [&>div]:gap-1.5 [&_dt]:text-ink-3">
          <div title={`strategy: ${view.because}`}>
            <dt className="sr-only">strategy</dt>
            <dd>
              {view.strategy ?? 'deciding'} {view.because ? <span className="text-ink-3">({view.because})</span> : null}
            </dd>
          </div>
          <div>
            <dt className="sr-only">progress</dt>
            <dd>{`${merged} of ${nodes} merged`}</dd>
          </div>
          <div>
            <dt className="sr-only">cost</dt>
            <dd className="numbers">{spending(view.cost)}</dd>
          </div>
          {view.started ? (
            <div>
              <dt className="sr-only">time</dt>
              <dd>
                <Elapsed since={view.started} until={view.finished ?? lastSign(view, status)} />
              </dd>
            </div>
          ) : null}
          {view.branch ? (
            <div className="min-w-0">
              <dt>
                <span className="sr-only">branch</span>
                <Icon name="branch" size={14} />
              </dt>
              <dd className="flex min-w-0 items-center gap-0.5">
                <code className="numbers min-w-0">
                  <CutName name={view.branch} />
                </code>
                <CopyButton text={view.branch} label="Copy the branch" className="size-6" />
              </dd>
            </div>
          ) : null}
        </dl>
      </div>
    </header>
  )
}

/** A stopped build's time ends with its last activity. */
function lastSign(view: BuildView, status: ShownStatus): string | null {
  if (status === 'running' || status === 'waiting') return null
  const signs = [
    ...view.routes.map(({ ts }) => ts),
    ...view.nodes.flatMap(({ asks }) => asks.map(({ started }) => started)),
  ]
  return signs.sort().at(-1) ?? view.started ?? null
}

const pictures: { id: Picture; label: string }[] = [
  { id: 'graph', label: 'Graph' },
  { id: 'list', label: 'List' },
]
