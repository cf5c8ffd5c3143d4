/** Starts a plan: a goal, its risks and cost estimates, a mode and a team. */
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { AskedMode } from '../../../src/rules/plan/mode.ts'
import { planAddress } from '../data/addresses/plan.ts'
import { startPlan } from '../data/calls/plans.ts'
import { useList } from '../data/feed/followed-list.ts'
import { recall, remember } from '../data/memory.ts'
import { Button } from '../ui/button.tsx'
import { capitalised } from '../ui/format.ts'
import { GoalChoices } from '../ui/goal/goal-choices.tsx'
import { CheckOption, FormProblem, RadioCard, useStart } from '../ui/page/form.tsx'
import { plans } from './view/plans-store.ts'

export function NewPlanPage() {
  const [, navigate] = useLocation()
  const [goal, setGoal] = useState(() => recall<string>('plan-goal') ?? '')
  const [mode, setMode] = useState<AskedMode>('auto')
  const teams = useList(plans).lines?.teams
  const [chosen, setPreset] = useState<string | null>(null)
  const preset = chosen ?? teams?.preset
  const [yes, setYes] = useState(false)
  const write = (next: string) => {
    setGoal(next)
    remember('plan-goal', next || undefined)
  }
  const { starting, problem, submit } = useStart('plan', goal.trim() !== '', async (id) => {
    // Unless one is chosen, a small change gets a team of one.
    const team = chosen === null ? {} : { preset: chosen }
    const started = await startPlan({ id, goal: goal.trim(), mode, yes, ...team })
    remember('plan-goal', undefined)
    navigate(planAddress(started.id))
  })
  return (
    <main className="min-h-0 flex-1 overflow-auto">
      <form onSubmit={submit} className="mx-auto max-w-[820px] px-4 py-5 md:px-6">
        <h1 className="text-large font-semibold">New plan</h1>
        <p className="mt-1 mb-4 text-ink-2">
          Describe what you want to achieve. The plan becomes a reviewed design, a test strategy and issues ready to
          build. Your code is read but never changed.
        </p>
        <GoalChoices goal={goal} onGoal={write} mode={mode} onMode={setMode} preset={preset} onSubmit={submit} />
        <fieldset className="mt-4">
          <legend className="mb-1 text-small text-ink-2">Team</legend>
          <div className="grid gap-2 min-[760px]:grid-cols-2">
            {(teams?.presets ?? []).map(({ name, description }) => (
              <RadioCard
                key={name}
                name="preset"
                label={capitalised(name.replaceAll('_', ' '))}
                checked={preset === name}
                onChoose={() => setPreset(name)}
                more={description}
              />
            ))}
          </div>
        </fieldset>
        <CheckOption
          label="Ask no questions; make assumptions instead"
          more="The plan lists every assumption."
          checked={yes}
          onChange={setYes}
          className="mt-4"
        />
        <FormProblem problem={problem} />
        <div className="mt-5">
          <Button type="submit" weight="primary" disabled={goal.trim() === '' || starting}>
            {starting ? 'Starting…' : 'Start the plan'}
          </Button>
        </div>
      </form>
    </main>
  )
}
