/** Every plan with its status, cost and time; an introduction while there are none. */
import type { PlanLine } from '../../../src/plan/view.ts'
import { planAddress } from '../data/addresses/plan.ts'
import { useList } from '../data/feed/followed-list.ts'
import { Chip, StatusChip } from '../ui/chip.tsx'
import { ElapsedOfLine } from '../ui/elapsed.tsx'
import { plural, since, spending } from '../ui/format.ts'
import { CardLink, ListPage } from '../ui/page/list-page.tsx'
import { endLabel, phaseTitle } from './view/labels.ts'
import { lineStatus, plans } from './view/plans-store.ts'

export function PlansPage() {
  const { lines, problem } = useList(plans)
  return (
    <ListPage
      title="Plans"
      lines={lines?.plans ?? null}
      keyOf={({ id }) => id}
      line={(line) => <Line line={line} />}
      problem={problem}
      retry={() => plans.read()}
      start={{ at: '/plans/new', label: 'New plan', first: 'Describe a goal' }}
      empty={{
        title: 'A plan turns one sentence into issues ready to build',
        about:
          "Agents research the project, design from several perspectives, review each other's work and plan the tests. Convene asks you only what you alone can decide, and records every decision, doubt and gap.",
        command: 'convene plan "your goal"',
      }}
      testId="plans"
    />
  )
}

function Line({ line }: { line: PlanLine }) {
  const status = lineStatus(line)
  const { word, tone } = endLabel(status, line.degraded)
  return (
    <CardLink href={planAddress(line.id)} data-testid="plan-line" data-status={status} data-degraded={line.degraded}>
      <span className="flex items-baseline gap-3">
        <b className="min-w-0 flex-1 truncate text-title font-semibold">{line.goal.slice(0, 240) || 'Starting…'}</b>
        <span className="shrink-0 text-small text-ink-3">{line.started ? since(line.started) : ''}</span>
      </span>
      <span className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-small text-ink-2">
        <StatusChip word={word} tone={tone} />
        {line.degraded && status !== 'done' ? <Chip tone="warn">degraded</Chip> : null}
        {line.rehearsal ? <Chip className="max-sm:hidden">rehearsal</Chip> : null}
        <span>{line.mode ?? ''}</span>
        <span>{whereItIs(line)}</span>
        {line.status === 'failed' && line.reason ? (
          <span className="min-w-0 text-bad wrap-anywhere">{line.reason}</span>
        ) : null}
        <span className="flex-1" />
        <span className="numbers">{spending(line.cost)}</span>
        <ElapsedOfLine line={line} />
      </span>
    </CardLink>
  )
}

function whereItIs({ status, at, done, phases, issues }: PlanLine): string {
  if (status === 'done') return plural(issues, 'issue')
  const place = at === null || status === 'failed' ? '' : `${phaseTitle(at)}, `
  return phases === 0 ? '' : `${place}${done} of ${phases} phases done`
}
