/** All plans, newest first. */
import { useLocation } from 'wouter'
import type { PlanLine } from '../../../src/plan/view.ts'
import { planAddress } from '../data/addresses/plan.ts'
import { useList } from '../data/feed/followed-list.ts'
import { ago } from '../ui/format.ts'
import { SideLink, SideList } from '../ui/page/side-list.tsx'
import { endLabel } from './view/labels.ts'
import { lineStatus, plans } from './view/plans-store.ts'

export function PlanList({ open }: { open: string | null }) {
  const { lines } = useList(plans)
  const [, navigate] = useLocation()
  return (
    <SideList
      title="Plans"
      href="/plans"
      create="New plan"
      onCreate={() => navigate('/plans/new')}
      lines={lines?.plans}
      keyOf={({ id }) => id}
      line={(line) => <PlanLink line={line} isOpen={line.id === open} />}
    />
  )
}

function PlanLink({ line, isOpen }: { line: PlanLine; isOpen: boolean }) {
  const status = lineStatus(line)
  const { word, tone } = endLabel(status, line.degraded)
  return (
    <SideLink
      href={planAddress(line.id)}
      isOpen={isOpen}
      tone={tone}
      status={line.degraded && status !== 'done' ? `${word}, degraded` : word}
      aside={line.degraded ? <span className="text-warn">degraded</span> : besideOf(line, status)}
    >
      {line.goal.slice(0, 120) || 'starting…'}
    </SideLink>
  )
}

function besideOf(line: PlanLine, status: string): string {
  if (status === 'waiting') return 'needs your answer'
  if (status === 'running') return `${line.done}/${line.phases}`
  return line.started ? ago(line.finished ?? line.started) : ''
}
