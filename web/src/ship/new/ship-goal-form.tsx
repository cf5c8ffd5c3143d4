/** Ships a goal: its risks, the planning mode, and whether to merge. */
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { AskedMode } from '../../../../src/rules/plan/mode.ts'
import { featureAddress } from '../../data/addresses/ship.ts'
import { listShips, startShip } from '../../data/calls/features.ts'
import { recall, remember } from '../../data/memory.ts'
import { Button } from '../../ui/button.tsx'
import { GoalChoices } from '../../ui/goal/goal-choices.tsx'
import { CheckOption, FormProblem, useStart } from '../../ui/page/form.tsx'

export function ShipGoalForm() {
  const [, navigate] = useLocation()
  const [goal, setGoal] = useState(() => recall<string>('ship-goal') ?? '')
  const [mode, setMode] = useState<AskedMode>('auto')
  const [options, setOptions] = useState({ merge: false, smart: false, yes: false })
  const write = (next: string) => {
    setGoal(next)
    remember('ship-goal', next || undefined)
  }
  const { starting, problem, submit } = useStart('ship', goal.trim() !== '', async (id) => {
    const started = await startShip({ id, goal: goal.trim(), mode, look: true, ...options })
    remember('ship-goal', undefined)
    navigate(await addressOf(started.id))
  })
  return (
    <form onSubmit={submit}>
      <p className="mb-4 text-ink-2">
        Describe what you want to achieve. Convene plans it, splits it into issues, and builds and verifies each one on
        a separate branch, within one budget. You can stop it at any time.
      </p>
      <GoalChoices goal={goal} onGoal={write} mode={mode} onMode={setMode} onSubmit={submit} />
      <div className="mt-4 space-y-2.5">
        {choices.map(({ name, label, more }) => (
          <CheckOption
            key={name}
            label={label}
            more={more}
            checked={options[name]}
            onChange={(checked) => setOptions({ ...options, [name]: checked })}
          />
        ))}
      </div>
      <FormProblem problem={problem} />
      <div className="mt-5">
        <Button type="submit" weight="primary" disabled={goal.trim() === '' || starting}>
          {starting ? 'Starting…' : 'Ship it'}
        </Button>
      </div>
    </form>
  )
}

const choices = [
  {
    name: 'merge',
    label: 'Merge into the checked-out branch once everything is done',
    more: 'Otherwise the result stays on its own branch.',
  },
  {
    name: 'smart',
    label: 'Let a coordinator analyse failed attempts and choose the order',
    more: 'Costs extra calls; without it, rules decide.',
  },
  {
    name: 'yes',
    label: 'Ask no questions; make assumptions instead',
    more: 'The plan lists every assumption, and its issues are built without asking you first.',
  },
] as const

const looks = 40
const lookMs = 150

/** The run's first step names the feature, so poll until it is known. */
async function addressOf(ship: string): Promise<string> {
  for (let look = 0; look < looks; look += 1) {
    const found = (await listShips()).find(({ id, feature }) => id === ship && feature !== '')
    if (found) return featureAddress(found.feature)
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
  return '/features'
}
