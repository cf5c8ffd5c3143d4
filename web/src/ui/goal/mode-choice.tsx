/** One planning mode to choose, with what it would cost. */
import type { Estimate } from '../../../../src/rules/plan/estimate.ts'
import type { AskedMode } from '../../../../src/rules/plan/mode.ts'
import type { PlanAdvice } from '../../data/calls/plans.ts'
import { Chip } from '../chip.tsx'
import { capitalised, costWords, count, plural } from '../format.ts'
import { RadioCard } from '../page/form.tsx'

interface ModeChoiceProps {
  mode: AskedMode
  checked: boolean
  onChoose(): void
  advice: PlanAdvice | null
}

export function ModeChoice({ mode, checked, onChoose, advice }: ModeChoiceProps) {
  const estimate = mode === 'auto' ? advice?.auto.estimate : advice?.estimates.find((one) => one.mode === mode)
  const isAdvised = advice?.suggestion?.mode === mode
  return (
    <RadioCard
      name="mode"
      label={capitalised(mode)}
      checked={checked}
      onChoose={onChoose}
      badge={
        isAdvised ? (
          <Chip tone="live" className="text-tiny!">
            advised
          </Chip>
        ) : null
      }
      more={
        <>
          {mode === 'auto' && advice
            ? `${capitalised(advice.auto.mode)} for this goal (${advice.auto.because})`
            : modeLabel[mode]}
          <span className="numbers block text-ink-3">{estimate ? estimateLabel(estimate) : '\u00a0'}</span>
        </>
      }
      data-testid="mode"
      data-mode={mode}
    />
  )
}

const estimateLabel = ({ calls, tokens, cost }: Estimate) =>
  `~${plural(calls, 'ask')}, ~${count(tokens)} tokens, ${cost === null ? '' : '~'}${costWords(cost)}`

const modeLabel: Record<AskedMode, string> = {
  auto: 'Sized by the risk of the goal and the code it touches',
  rapid: 'No panel and no expert review: for spikes and small changes',
  standard: 'A panel checks the design, experts review it, and the tests are scored',
  advanced: 'Design and tests from several perspectives, deeper thinking, and the assets that the tests need',
  complete: 'Everything: research from several perspectives too, debated tests, and a panel that votes twice',
}
