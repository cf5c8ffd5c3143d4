/** Begins a plan: a goal, what it looks like from outside, and how thoroughly it is to be planned. */
import { type FormEvent, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { type Mode, modes } from '../../../src/rules/plan/mode.ts'
import { sentence } from '../build/view/words.ts'
import { planAddress } from '../data/addresses/plan.ts'
import { type PlanAdvice, startPlan } from '../data/calls/plans.ts'
import { recall, remember } from '../data/memory.ts'
import { newId } from '../data/new-id.ts'
import { ApiError } from '../data/request.ts'
import { useWatched } from '../data/watched.ts'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { count, money, plural } from '../ui/format.ts'
import { useAdvice } from '../ui/goal/use-advice.ts'
import { plans } from './view/plans-store.ts'
import { modeWords, riskWords } from './view/words.ts'

export function NewPlanPage() {
  const [, navigate] = useLocation()
  const [goal, setGoal] = useState(() => recall<string>('plan-goal') ?? '')
  const [mode, setMode] = useState<Mode>('standard')
  const { teams } = useWatched(plans)
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
          Say what should be reached. A plan becomes a reviewed design, a test strategy and issues that can be built;
          your code is read, not touched.
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
                  <b className="block font-medium">{sentence(name.replaceAll('_', ' '))}</b>
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
            Ask nothing, go on with assumptions
            <span className="block text-small text-ink-3">Every one of them is listed in the plan.</span>
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

const choice =
  'flex gap-2.5 rounded-[10px] border border-line bg-panel px-3 py-2.5 has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-accent'

interface ModeChoiceProps {
  mode: Mode
  checked: boolean
  onChoose(): void
  advice: PlanAdvice | null
}

export function ModeChoice({ mode, checked, onChoose, advice }: ModeChoiceProps) {
  const estimate = advice?.estimates.find((one) => one.mode === mode)
  const isAdvised = advice?.suggestion?.mode === mode
  return (
    <label className={choice} data-testid="mode" data-mode={mode}>
      <input
        type="radio"
        name="mode"
        checked={checked}
        onChange={onChoose}
        className="mt-1 self-start accent-(--accent)"
      />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <b className="font-medium">{sentence(mode)}</b>
          {isAdvised ? (
            <Chip tone="live" className="text-tiny!">
              advised
            </Chip>
          ) : null}
        </span>
        <span className="block text-small text-ink-2">{modeWords[mode]}</span>
        <span className="numbers block text-small text-ink-3">
          {estimate
            ? `~${plural(estimate.calls, 'call')}, ~${count(estimate.tokens)} tokens, ${estimate.cost === null ? 'price unknown' : `~${money(estimate.cost)}`}`
            : '\u00a0'}
        </span>
      </span>
    </label>
  )
}

interface AdviceLineProps {
  advice: PlanAdvice | null
  problem: string | null
  stale: boolean
  isEmpty: boolean
  mode: Mode
  onMode(mode: Mode): void
}

export function AdviceLine({ advice, problem, stale, isEmpty, mode, onMode }: AdviceLineProps) {
  const suggestion = advice?.suggestion
  return (
    <div
      role="status"
      data-testid="advice"
      className={`mt-1.5 flex min-h-7 flex-wrap items-center gap-2 text-small ${stale ? 'opacity-60' : ''}`}
    >
      {isEmpty ? (
        <span className="text-ink-3">What it puts at risk, and what each mode would take, is shown as you write.</span>
      ) : problem ? (
        <span className="text-bad">{problem}</span>
      ) : advice ? (
        <>
          {advice.flags.map((flag) => (
            <Chip key={flag} tone="warn">
              {riskWords(flag)}
            </Chip>
          ))}
          <span className="text-ink-2">
            {suggestion ? suggestion.message : advice.flags.length === 0 ? 'No risk category is named in it.' : ''}
          </span>
          {suggestion && suggestion.mode !== mode ? (
            <Button className="h-6.5!" onClick={() => onMode(suggestion.mode)}>
              Plan in {suggestion.mode} mode
            </Button>
          ) : null}
        </>
      ) : null}
    </div>
  )
}

interface GoalFieldProps {
  goal: string
  onGoal(goal: string): void
  /** By the keyboard: with Ctrl or Command and Enter. */
  onSubmit(event: FormEvent): unknown
}

export function GoalField({ goal, onGoal, onSubmit }: GoalFieldProps) {
  return (
    <>
      <label htmlFor="goal" className="mb-1 block text-small text-ink-2">
        Goal
      </label>
      <textarea
        id="goal"
        value={goal}
        rows={Math.min(12, Math.max(3, goal.split('\n').length + 1))}
        placeholder="Retry failed charges without ever charging twice"
        onChange={(event) => onGoal(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void onSubmit(event)
        }}
        className="w-full resize-y rounded-[10px] border border-line-strong bg-panel px-3 py-2.5 placeholder:text-ink-3"
      />
    </>
  )
}
