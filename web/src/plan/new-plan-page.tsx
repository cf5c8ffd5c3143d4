/** Begins a plan: a goal, what it looks like from outside, and how thoroughly it is to be planned. */
import { type FormEvent, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { type Mode, modes } from '../../../src/rules/plan/mode.ts'
import { planAddress } from '../data/addresses/plan.ts'
import { startPlan } from '../data/calls/plans.ts'
import { useList } from '../data/feed/followed-list.ts'
import { recall, remember } from '../data/memory.ts'
import { newId } from '../data/new-id.ts'
import { ApiError } from '../data/request.ts'
import { Button } from '../ui/button.tsx'
import { capitalised } from '../ui/format.ts'
import { AdviceLine } from '../ui/goal/advice-line.tsx'
import { GoalField } from '../ui/goal/goal-field.tsx'
import { choice, ModeChoice } from '../ui/goal/mode-choice.tsx'
import { useAdvice } from '../ui/goal/use-advice.ts'
import { plans } from './view/plans-store.ts'

export function NewPlanPage() {
  const [, navigate] = useLocation()
  const [goal, setGoal] = useState(() => recall<string>('plan-goal') ?? '')
  const [mode, setMode] = useState<Mode>('standard')
  const teams = useList(plans).lines?.teams
  const [chosen, setPreset] = useState<string | null>(null)
  const preset = chosen ?? teams?.preset
  const [yes, setYes] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [starting, setStarting] = useState(false)
  const { advice, problem: unadvised, stale } = useAdvice(goal, preset)
  // The same plan, however often it has to be sent.
  const id = useRef(`plan-${newId()}`)
  const write = (next: string) => {
    setGoal(next)
    remember('plan-goal', next || undefined)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (goal.trim() === '') return
    setStarting(true)
    setProblem(null)
    try {
      const started = await startPlan({
        id: id.current,
        goal: goal.trim(),
        mode,
        yes,
        ...(preset === undefined ? {} : { preset }),
      })
      remember('plan-goal', undefined)
      navigate(planAddress(started.id))
    } catch (error) {
      setStarting(false)
      if (!(error instanceof ApiError) || error.status !== 0) id.current = `plan-${newId()}`
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <main className="min-h-0 flex-1 overflow-auto">
      <form onSubmit={submit} className="mx-auto max-w-[820px] px-4 py-5 md:px-6">
        <h1 className="text-large font-semibold">New plan</h1>
        <p className="mt-1 mb-4 text-ink-2">
          Describe what you want to achieve. The plan becomes a reviewed design, a test strategy and issues ready to
          build. Your code is read but never changed.
        </p>
        <GoalField goal={goal} onGoal={write} onSubmit={submit} />
        <AdviceLine
          advice={advice}
          problem={unadvised}
          stale={stale}
          isEmpty={goal.trim() === ''}
          onMode={setMode}
          mode={mode}
        />
        <fieldset className="mt-4">
          <legend className="mb-1 text-small text-ink-2">Mode</legend>
          <div className="grid gap-2 min-[760px]:grid-cols-2">
            {modes.map((each) => (
              <ModeChoice
                key={each}
                mode={each}
                checked={mode === each}
                onChoose={() => setMode(each)}
                advice={advice}
              />
            ))}
          </div>
        </fieldset>
        <fieldset className="mt-4">
          <legend className="mb-1 text-small text-ink-2">Team</legend>
          <div className="grid gap-2 min-[760px]:grid-cols-2">
            {(teams?.presets ?? []).map(({ name, description }) => (
              <label key={name} className={choice}>
                <input
                  type="radio"
                  name="preset"
                  checked={preset === name}
                  onChange={() => setPreset(name)}
                  className="mt-1 self-start accent-(--accent)"
                />
                <span>
                  <b className="block font-medium">{capitalised(name.replaceAll('_', ' '))}</b>
                  <span className="block text-small text-ink-2">{description}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <label className="mt-4 flex items-baseline gap-2.5">
          <input
            type="checkbox"
            checked={yes}
            onChange={(event) => setYes(event.target.checked)}
            className="translate-y-px accent-(--accent)"
          />
          <span>
            Ask no questions; make assumptions instead
            <span className="block text-small text-ink-3">The plan lists every assumption.</span>
          </span>
        </label>
        {problem ? (
          <p role="alert" className="mt-4 rounded-lg bg-bad-soft px-3 py-2 text-small text-bad">
            {problem}
          </p>
        ) : null}
        <div className="mt-5">
          <Button type="submit" weight="primary" disabled={goal.trim() === '' || starting}>
            {starting ? 'Starting…' : 'Start the plan'}
          </Button>
        </div>
      </form>
    </main>
  )
}
