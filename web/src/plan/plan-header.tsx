/** A plan's goal, status, mode, shortfalls and cost, with stop and resume. */
import type { PlanStatus, PlanView } from '../../../src/plan/view.ts'
import type { Budget } from '../../../src/rules/budget/budget.ts'
import type { RunActions } from '../data/calls/use-run-actions.ts'
import { Chip, StatusChip } from '../ui/chip.tsx'
import { Elapsed } from '../ui/elapsed.tsx'
import { riskLabel } from '../ui/goal/advice-line.tsx'
import { Icon } from '../ui/icons.tsx'
import { BackLink } from '../ui/page/back-link.tsx'
import { StopResume } from '../ui/page/stop-resume.tsx'
import { RunLink } from '../ui/run-link.tsx'
import { phaseShortfall, shortfallsOf } from './view/attendance.ts'
import { endLabel, isOver } from './view/labels.ts'
import { spentLabel, spentOf } from './view/spent.ts'

interface PlanHeaderProps {
  view: PlanView
  budget: Budget
  status: PlanStatus
  actions: RunActions
}

/** A goal may be very long; the title shows its beginning. */
const longestTitle = 240

export function PlanHeader({ view, budget, status, actions }: PlanHeaderProps) {
  const { word, tone } = endLabel(status, view.degraded)
  const goal = view.goal.slice(0, longestTitle)
  return (
    <header
      className="shrink-0 border-b border-line px-3 py-2.5 md:px-5"
      data-testid="plan-header"
      data-status={status}
    >
      <div className="flex items-center gap-2">
        <BackLink href="/plans" label="Plans" />
        <h1 className="min-w-0 flex-1 truncate text-title font-semibold" title={goal}>
          {goal || 'Starting…'}
        </h1>
        <RunLink run={view.id} />
        <StopResume isRunning={!isOver(status)} isStopped={status === 'stopped'} actions={actions} />
      </div>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1.5 text-small">
        <StatusChip word={word} tone={tone} data-testid="plan-status" />
        {view.degraded && status !== 'done' ? (
          <Chip tone="warn" data-testid="degraded">
            <Icon name="warning" size={13} />
            degraded
          </Chip>
        ) : null}
        {view.rehearsal ? (
          <Chip tone="warn" title="Agents play a script; no model is called">
            rehearsal
          </Chip>
        ) : null}
        <Chip>{view.mode ?? 'mode not chosen yet'}</Chip>
        {view.preset ? <Chip title="the team">{view.preset.replaceAll('_', ' ')} team</Chip> : null}
        {view.risk_flags.length > 0 ? (
          <Chip tone="warn" className="whitespace-normal!" data-testid="risks">
            {view.risk_flags.length > 1 ? 'risks: ' : 'risk: '}
            {view.risk_flags.map(riskLabel).join(', ')}
          </Chip>
        ) : null}
        <span className="flex-1" />
        <span className="flex items-center gap-2.5 text-ink-2">
          <span className="numbers" data-testid="plan-cost" title="spent so far, and the budget">
            {spentLabel(spentOf(view, budget))}
          </span>
          {view.started ? <Elapsed since={view.started} until={lastSign(view, status)} /> : null}
        </span>
      </div>
      <Shortfalls view={view} />
    </header>
  )
}

/** Shows what is missing next to the result, so that a degraded plan never looks complete. */
function Shortfalls({ view }: { view: PlanView }) {
  const shortfalls = shortfallsOf(view)
  if (!view.degraded && shortfalls.length === 0) return null
  return (
    <p data-testid="shortfalls" className="mt-1.5 text-small text-warn wrap-anywhere">
      <b className="font-semibold">Degraded.</b>{' '}
      {shortfalls.length > 0
        ? `${shortfalls.map(phaseShortfall).join('. ')}.`
        : 'Part of the plan could not be done as intended.'}
    </p>
  )
}

function lastSign(view: PlanView, status: PlanStatus): string | null {
  if (!isOver(status)) return null
  const signs = view.phases.flatMap(({ started, finished }) => [started ?? '', finished ?? ''])
  return view.finished ?? signs.sort().at(-1) ?? view.started ?? null
}
