/** All plans, newest first. */
import { Link, useLocation } from 'wouter'
import type { PlanLine } from '../../../src/plan/view.ts'
import { planAddress } from '../data/addresses/plan.ts'
import { useList } from '../data/feed/followed-list.ts'
import { IconButton } from '../ui/button.tsx'
import { Dot } from '../ui/chip.tsx'
import { ago } from '../ui/format.ts'
import { endLabel } from './view/labels.ts'
import { lineStatus, plans } from './view/plans-store.ts'

export function PlanList({ open }: { open: string | null }) {
  const known = useList(plans).lines?.plans
  const [, navigate] = useLocation()
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-2.5 py-3.5">
      <div className="mb-1 flex items-center justify-between pl-2">
        <h2 className="caption">
          <Link href="/plans" className="hover:text-ink">
            Plans
          </Link>
        </h2>
        <IconButton icon="plus" label="New plan" onClick={() => navigate('/plans/new')} />
      </div>
      <nav aria-label="Plans">
        <ul>
          {known?.map((line) => (
            <li key={line.id}>
              <PlanLink line={line} isOpen={line.id === open} />
            </li>
          ))}
        </ul>
        {known?.length === 0 ? <p className="px-2 py-1 text-small text-ink-3">None yet.</p> : null}
      </nav>
    </div>
  )
}

function PlanLink({ line, isOpen }: { line: PlanLine; isOpen: boolean }) {
  const status = lineStatus(line)
  const { word, tone } = endLabel(status, line.degraded)
  const said = line.degraded && status !== 'done' ? `${word}, degraded` : word
  return (
    <Link
      href={planAddress(line.id)}
      aria-current={isOpen ? 'page' : undefined}
      className="flex items-center gap-2 rounded-[7px] px-2 py-[7px] text-ink-2 hover:bg-hover aria-[current=page]:bg-accent-soft aria-[current=page]:text-ink"
    >
      <Dot tone={tone} />
      <span className="min-w-0 truncate font-medium">{line.goal.slice(0, 120) || 'starting…'}</span>
      <span className="sr-only">({said})</span>
      <span aria-hidden="true" className={`ml-auto shrink-0 text-tiny ${line.degraded ? 'text-warn' : 'text-ink-3'}`}>
        {line.degraded ? 'degraded' : besideOf(line, status)}
      </span>
    </Link>
  )
}

function besideOf(line: PlanLine, status: string): string {
  if (status === 'waiting') return 'needs your answer'
  if (status === 'running') return `${line.done}/${line.phases}`
  return line.started ? ago(line.finished ?? line.started) : ''
}
