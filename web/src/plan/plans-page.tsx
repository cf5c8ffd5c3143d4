/** Every plan with its state, cost and time; before the first one, what a plan is. */
import { Link, useLocation } from 'wouter'
import type { PlanLine } from '../../../src/plan/view.ts'
import { planAddress } from '../data/addresses/plan.ts'
import { useList } from '../data/feed/followed-list.ts'
import { Button } from '../ui/button.tsx'
import { Chip, Dot } from '../ui/chip.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Elapsed } from '../ui/elapsed.tsx'
import { ago, money, plural } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import { endLabel, phaseTitle } from './view/labels.ts'
import { lineStatus, plans } from './view/plans-store.ts'

const command = 'convene plan "your goal"'

export function PlansPage() {
  const { lines, problem } = useList(plans)
  const known = lines?.plans
  const [, navigate] = useLocation()
  if (known?.length === 0) return <NoPlans />
  return (
    <main className="min-h-0 flex-1 overflow-auto">
      <div className="mx-auto max-w-[980px] px-4 py-5 md:px-6">
        <div className="mb-4 flex items-center gap-3">
          <h1 className="text-large font-semibold">Plans</h1>
          {known ? <Chip>{known.length}</Chip> : null}
          <span className="flex-1" />
          <Button weight="primary" onClick={() => navigate('/plans/new')}>
            <Icon name="plus" size={14} />
            New plan
          </Button>
        </div>
        {known ? <Lines plans={known} /> : <Reading problem={problem} />}
      </div>
    </main>
  )
}

function Lines({ plans }: { plans: readonly PlanLine[] }) {
  return (
    <ul className="space-y-2" data-testid="plans">
      {plans.map((line) => (
        <li key={line.id}>
          <Line line={line} />
        </li>
      ))}
    </ul>
  )
}

function Line({ line }: { line: PlanLine }) {
  const status = lineStatus(line)
  const { word, tone } = endLabel(status, line.degraded)
  return (
    <Link
      href={planAddress(line.id)}
      data-testid="plan-line"
      data-status={status}
      data-degraded={line.degraded}
      className="block rounded-[10px] border border-line bg-panel px-4 py-3 hover:border-line-strong"
    >
      <span className="flex items-baseline gap-3">
        <b className="min-w-0 flex-1 truncate text-title font-semibold">{line.goal.slice(0, 240) || 'Starting…'}</b>
        <span className="shrink-0 text-small text-ink-3">{line.started ? ago(line.started) : ''}</span>
      </span>
      <span className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-small text-ink-2">
        <Chip tone={tone}>
          <Dot tone={tone} />
          {word}
        </Chip>
        {line.degraded && status !== 'done' ? <Chip tone="warn">degraded</Chip> : null}
        {line.rehearsal ? <Chip className="max-sm:hidden">rehearsal</Chip> : null}
        <span>{line.mode ?? ''}</span>
        <span>{whereItIs(line)}</span>
        {line.status === 'failed' && line.reason ? (
          <span className="min-w-0 text-bad wrap-anywhere">{line.reason}</span>
        ) : null}
        <span className="flex-1" />
        <span className="numbers">{money(line.cost.usd)}</span>
        {line.started && line.status !== 'stopped' ? <Elapsed since={line.started} until={line.finished} /> : null}
      </span>
    </Link>
  )
}

function whereItIs({ status, at, done, phases, issues }: PlanLine): string {
  if (status === 'done') return plural(issues, 'issue')
  const place = at === null || status === 'failed' ? '' : `${phaseTitle(at)}, `
  return phases === 0 ? '' : `${place}${done} of ${phases} phases done`
}

function Reading({ problem }: { problem: string | undefined }) {
  if (problem === undefined)
    return (
      <div role="status" className="space-y-2 opacity-60">
        <span className="sr-only">Loading the plans…</span>
        {[1, 2, 3].map((row) => (
          <div key={row} className="pulse h-[74px] rounded-[10px] bg-line" />
        ))}
      </div>
    )
  return (
    <div role="alert">
      <p className="mb-3 text-ink-2">The plans could not be loaded. {problem}</p>
      <Button onClick={() => void plans.read()}>Try again</Button>
    </div>
  )
}

function NoPlans() {
  const [, navigate] = useLocation()
  return (
    <main className="grid flex-1 place-items-center overflow-auto p-6">
      <div className="max-w-lg">
        <h1 className="text-large font-semibold">A plan turns one sentence into issues ready to build</h1>
        <p className="mt-2 text-ink-2">
          Agents research the project, design from several perspectives, review each other's work and plan the tests.
          You are asked only what only you can decide, and every decision, doubt and gap is recorded.
        </p>
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <Button weight="primary" onClick={() => navigate('/plans/new')}>
            Describe a goal
          </Button>
          <span className="text-small text-ink-3">or in a terminal</span>
          <span className="flex min-w-0 items-center gap-1 rounded-lg border border-line bg-panel py-0.5 pr-1 pl-3 text-small">
            <code className="numbers min-w-0 truncate">{command}</code>
            <CopyButton text={command} label="Copy the command" />
          </span>
        </div>
      </div>
    </main>
  )
}
