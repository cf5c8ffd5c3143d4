/** The text field for a goal. */
import type { FormEvent } from 'react'

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
