/** Every build with its state, cost and time; before the first one, what a build is. */
import { Link, useLocation } from 'wouter'
import type { BuildLine } from '../../../src/build/view.ts'
import { buildAddress, issueOfBuild } from '../data/addresses/build.ts'
import { useList } from '../data/feed/followed-list.ts'
import { Button } from '../ui/button.tsx'
import { Chip, Dot } from '../ui/chip.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Elapsed } from '../ui/elapsed.tsx'
import { ago, money, plural } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import { builds } from './view/builds-store.ts'
import { statusLabel } from './view/labels.ts'

const command = 'convene build spec.yaml'

export function BuildsPage() {
  const { lines: known, problem } = useList(builds)
  const [, navigate] = useLocation()
  if (known?.length === 0) return <NoBuilds />
  return (
    <main className="min-h-0 flex-1 overflow-auto">
      <div className="mx-auto max-w-[980px] px-4 py-5 md:px-6">
        <div className="mb-4 flex items-center gap-3">
          <h1 className="text-large font-semibold">Builds</h1>
          {known ? <Chip>{known.length}</Chip> : null}
          <span className="flex-1" />
          <Button weight="primary" onClick={() => navigate('/builds/new')}>
            <Icon name="plus" size={14} />
            New build
          </Button>
        </div>
        {known ? <Lines builds={known} /> : <Reading problem={problem} />}
      </div>
    </main>
  )
}

function Lines({ builds }: { builds: readonly BuildLine[] }) {
  return (
    <ul className="space-y-2" data-testid="builds">
      {builds.map((line) => (
        <li key={line.id}>
          <Line line={line} />
        </li>
      ))}
    </ul>
  )
}

function Line({ line }: { line: BuildLine }) {
  const status = line.status === 'running' && line.questions > 0 ? 'waiting' : line.status
  const { word, tone } = statusLabel[status]
  const issue = issueOfBuild(line)
  return (
    <Link
      href={buildAddress(line.id)}
      data-testid="build-line"
      data-status={status}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 rounded-[10px] border border-line bg-panel px-4 py-3 hover:border-line-strong"
    >
      <span className="flex min-w-0 items-center gap-2.5">
        <b className="truncate text-title font-semibold">{line.spec || 'Starting…'}</b>
        <Chip tone={tone}>
          <Dot tone={tone} />
          {word}
        </Chip>
        {issue ? (
          <Chip className="max-sm:hidden">
            issue #{issue.number} of {issue.feature}
          </Chip>
        ) : null}
        {line.rehearsal ? <Chip className="max-sm:hidden">rehearsal</Chip> : null}
      </span>
      <span className="justify-self-end text-small text-ink-3">{line.started ? ago(line.started) : ''}</span>
      <span className="truncate text-small text-ink-2">
        {line.status === 'failed' && line.reason ? <span className="text-bad">{line.reason}</span> : line.description}
      </span>
      <span className="flex justify-end gap-3 text-small whitespace-nowrap text-ink-2">
        <span className="max-sm:hidden">{line.strategy ?? ''}</span>
        <span className="max-sm:hidden">{`${line.merged} of ${plural(line.nodes, 'node')} merged`}</span>
        <span className="numbers">{money(line.cost.usd)}</span>
        {line.started && line.status !== 'stopped' ? <Elapsed since={line.started} until={line.finished} /> : null}
      </span>
    </Link>
  )
}

function Reading({ problem }: { problem: string | undefined }) {
  if (problem === undefined)
    return (
      <div role="status" className="space-y-2 opacity-60">
        <span className="sr-only">Loading the builds…</span>
        {[1, 2, 3].map((row) => (
          <div key={row} className="pulse h-[74px] rounded-[10px] bg-line" />
        ))}
      </div>
    )
  return (
    <div role="alert">
      <p className="mb-3 text-ink-2">The builds could not be loaded. {problem}</p>
      <Button onClick={() => void builds.read()}>Try again</Button>
    </div>
  )
}

function NoBuilds() {
  const [, navigate] = useLocation()
  return (
    <main className="grid flex-1 place-items-center overflow-auto p-6">
      <div className="max-w-lg">
        <h1 className="text-large font-semibold">A build turns a spec into a branch you can trust</h1>
        <p className="mt-2 text-ink-2">
          Agents plan, write tests that must fail first, and write the code, in parallel and away from your checkout.
          Nothing counts because an agent says so: Convene runs every test itself and merges only what it has seen pass.
        </p>
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <Button weight="primary" onClick={() => navigate('/builds/new')}>
            Write a spec
          </Button>
          <span className="text-small text-ink-3">or in a terminal</span>
          <span className="flex items-center gap-1 rounded-lg border border-line bg-panel py-0.5 pr-1 pl-3 text-small">
            <code className="numbers">{command}</code>
            <CopyButton text={command} label="Copy the command" />
          </span>
        </div>
      </div>
    </main>
  )
}
