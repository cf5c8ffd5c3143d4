/** What a goal puts at risk, and the mode that suits it. */
import type { AskedMode } from '../../../../src/rules/plan/mode.ts'
import type { PlanAdvice } from '../../data/calls/plans.ts'
import { Button } from '../button.tsx'
import { Chip } from '../chip.tsx'

interface AdviceLineProps {
  advice: PlanAdvice | null
  problem: string | null
  stale: boolean
  isEmpty: boolean
  mode: AskedMode
  onMode(mode: AskedMode): void
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
        <span className="text-ink-3">Risks and cost estimates appear as you type.</span>
      ) : problem ? (
        <span className="text-bad">{problem}</span>
      ) : advice ? (
        <>
          {advice.flags.map((flag) => (
            <Chip key={flag} tone="warn">
              {riskLabel(flag)}
            </Chip>
          ))}
          <span className="text-ink-2">
            {suggestion ? suggestion.message : advice.flags.length === 0 ? 'No risks detected.' : ''}
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

export const riskLabel = (flag: string) => flag.replaceAll('-', ' ')
