/** A ship's progress from goal to merge, each stage linking to its page. */
import { Link } from 'wouter'
import { buildAddress } from '../data/addresses/build.ts'
import { planAddress } from '../data/addresses/plan.ts'
import { buildOfSession, featureAddress } from '../data/addresses/ship.ts'
import { planStore } from '../data/feed/plan-store.ts'
import { statusOf } from '../data/plan-status.ts'
import { useWatched } from '../data/watched.ts'
import { Dot } from '../ui/chip.tsx'
import type { FeatureState } from './view/feature-store.ts'
import { type ShipFacts, type Stage, type StageState, stagesOf } from './view/stages.ts'

export function ShipProgress({ state }: { state: FeatureState }) {
  const { ship, plan } = state.timeline
  if (!ship) return null
  // A plan that has not started cannot be read.
  return plan === null ? <Progress state={state} plan={null} /> : <WithPlan state={state} run={plan} />
}

function WithPlan({ state, run }: { state: FeatureState; run: string }) {
  const { phase, view } = useWatched(planStore(run).state)
  const done = view.phases.filter(({ state }) => state === 'done' || state === 'degraded').length
  const plan = phase === 'ready' ? { status: statusOf(view), done, phases: view.phases.length } : null
  return <Progress state={state} plan={plan} />
}

function Progress({ state, plan }: { state: FeatureState; plan: ShipFacts['plan'] }) {
  const { view, report, ship, timeline } = state
  const planRun = timeline.plan ?? `${timeline.ship?.run}/plan`
  const stages = stagesOf({
    plan,
    states: view.issues.map(({ state }) => state),
    run: report?.status ?? null,
    merge: timeline.ship?.merge ?? false,
    merged: ship?.merged ?? report?.merged,
    main: view.main,
  })
  const building = view.issues.find(({ state, session }) => state === 'IN_PROGRESS' && session !== undefined)
  const addresses: Record<Stage['id'], string> = {
    plan: planAddress(planRun),
    issues: planAddress(planRun, 'issues'),
    build: building?.session ? buildAddress(buildOfSession(building.session)) : '/builds',
    merge: featureAddress(view.feature),
  }
  return (
    <nav aria-label="Ship progress" data-testid="ship-progress">
      <ol className="grid grid-cols-2 gap-2 @2xl:flex">
        {stages.map((stage) => (
          <li key={stage.id} className="min-w-0 flex-1">
            <Step stage={stage} address={addresses[stage.id]} />
          </li>
        ))}
      </ol>
    </nav>
  )
}

const tones: Record<StageState, 'plain' | 'live' | 'ok' | 'bad' | 'warn'> = {
  todo: 'plain',
  here: 'live',
  done: 'ok',
  failed: 'bad',
  waiting: 'warn',
}

const borders: Record<StageState, string> = {
  todo: 'border-dashed border-line',
  here: 'border-live bg-panel',
  done: 'border-transparent bg-ok-soft',
  failed: 'border-bad bg-bad-soft',
  waiting: 'border-warn bg-warn-soft',
}

function Step({ stage: { id, label, state, words }, address }: { stage: Stage; address: string }) {
  return (
    <Link
      href={address}
      data-stage={id}
      data-state={state}
      className={`flex items-center gap-2 rounded-lg border px-3 py-1.5 text-small hover:border-line-strong ${borders[state]}`}
    >
      <Dot tone={tones[state]} />
      <b className="font-medium">{label}</b>
      <span className="ml-auto min-w-0 truncate text-ink-2">{words}</span>
    </Link>
  )
}
