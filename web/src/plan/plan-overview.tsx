/** The plan as a whole: issues, clarity, agreement, panels and reviews. */
import type { PhaseView, PlanView } from '../../../src/plan/view.ts'
import { Chip } from '../ui/chip.tsx'
import { plural } from '../ui/format.ts'
import { IssueLines } from './issues-view.tsx'
import { Contradictions } from './phase/amendments.tsx'
import { Card } from './phase/card.tsx'
import { Convergence, WhereTheyStand } from './phase/convergence.tsx'
import { Findings } from './phase/findings.tsx'
import { Members } from './phase/members.tsx'
import { isPanel, PanelVotes } from './phase/panel-votes.tsx'
import { pointsOfPlan } from './phase/points.ts'
import { SpecifyGate } from './phase/specify-gate.tsx'
import { attendanceOf } from './view/attendance.ts'
import { phaseTitle } from './view/labels.ts'

export function PlanOverview({ view, over }: { view: PlanView; over: boolean }) {
  const points = pointsOfPlan(view.phases)
  const atWork = over ? [] : view.phases.filter(({ state }) => state === 'working' || state === 'question')
  const reviewed = view.phases.find(({ id }) => id === '6b')
  const panels = view.phases.filter(({ id, pass }) => isPanel(id) && pass > 0)
  const measured = points.at(-1)
  const open = view.contradictions.filter(({ end }) => end === 'open').length
  return (
    <div className="grid gap-3 min-[760px]:grid-cols-2" data-testid="plan-overview">
      {view.status === 'done' ? (
        <Card
          title="Issues ready to build"
          wide
          more={
            <>
              <Chip tone={view.degraded ? 'warn' : 'ok'}>{plural(view.issues, 'issue')}</Chip>
              {view.degraded ? <Chip tone="warn">from a degraded plan</Chip> : null}
              {open > 0 ? <Chip tone="warn">{plural(open, 'contradiction')} open</Chip> : null}
            </>
          }
        >
          <IssueLines view={view} />
        </Card>
      ) : null}
      {open > 0 ? <Contradictions view={view} phase="9" /> : null}
      {atWork.map((phase) => (
        <AtWork key={phase.id} view={view} phase={phase} />
      ))}
      <SpecifyGate scored={view.specify} mode={view.mode} />
      <Convergence points={points} />
      {measured ? <WhereTheyStand measured={measured.measured} /> : null}
      {panels.map((phase) => (
        <PanelVotes key={phase.id} phase={phase} />
      ))}
      <Findings reviews={view.reviews} phase={reviewed} wide />
      <Breakers view={view} />
      <Goal view={view} />
    </div>
  )
}

function AtWork({ view, phase }: { view: PlanView; phase: PhaseView }) {
  const attendance = attendanceOf(phase, view.reviews)
  if (phase.cast.length > 0 && !isPanel(phase.id))
    return (
      <div className="min-w-0 min-[760px]:col-span-full">
        <h2 className="caption mb-1.5">
          Now: {phaseTitle(phase.id)}
          {phase.pass > 1 ? `, pass ${phase.pass}` : ''}
        </h2>
        <Members phase={phase} attendance={attendance} over={false} />
      </div>
    )
  if (phase.state === 'question') return null
  return <p className="pulse text-small text-live min-[760px]:col-span-full">{phaseTitle(phase.id)} is at work</p>
}

function Breakers({ view }: { view: PlanView }) {
  if (view.breakers.length === 0) return null
  return (
    <Card title="Given up after repeated failures" wide>
      <ul className="space-y-1 text-small text-warn">
        {view.breakers.map(({ context, failures, description }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they stay in their places
          <li key={index} className="wrap-anywhere">
            {context.replaceAll('_', ' ')}, after {plural(failures, 'failure')}: {description}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Goal({ view }: { view: PlanView }) {
  return (
    <Card title="The goal as given" wide>
      <p className="max-h-60 overflow-y-auto text-small whitespace-pre-wrap wrap-anywhere">{view.goal}</p>
      {view.suggestion ? <p className="mt-2 text-small text-ink-2">Advice: {view.suggestion.message}</p> : null}
    </Card>
  )
}
