/** A goal with its advice and planning modes: the shared part of the forms that plan or ship a goal. */
import type { FormEvent } from 'react'
import { type AskedMode, askedModes } from '../../../../src/rules/plan/mode.ts'
import { AdviceLine } from './advice-line.tsx'
import { GoalField } from './goal-field.tsx'
import { ModeChoice } from './mode-choice.tsx'
import { useAdvice } from './use-advice.ts'

interface GoalChoicesProps {
  goal: string
  onGoal(goal: string): void
  mode: AskedMode
  onMode(mode: AskedMode): void
  /** The team; the project's default if absent. */
  preset?: string | undefined
  onSubmit(event: FormEvent): unknown
}

export function GoalChoices({ goal, onGoal, mode, onMode, preset, onSubmit }: GoalChoicesProps) {
  const { advice, problem, stale } = useAdvice(goal, preset)
  return (
    <>
      <GoalField goal={goal} onGoal={onGoal} onSubmit={onSubmit} />
      <AdviceLine
        advice={advice}
        problem={problem}
        stale={stale}
        isEmpty={goal.trim() === ''}
        onMode={onMode}
        mode={mode}
      />
      <fieldset className="mt-4">
        <legend className="mb-1 text-small text-ink-2">Mode</legend>
        <div className="grid gap-2 min-[760px]:grid-cols-2">
          {askedModes.map((each) => (
            <ModeChoice key={each} mode={each} checked={mode === each} onChoose={() => onMode(each)} advice={advice} />
          ))}
        </div>
      </fieldset>
    </>
  )
}
