/** One planning mode to choose, with what it would cost. */
import type { Mode } from '../../../../src/rules/plan/mode.ts'
import type { PlanAdvice } from '../../data/calls/plans.ts'
import { Chip } from '../chip.tsx'
import { capitalised, count, money, plural } from '../format.ts'

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
          <b className="font-medium">{capitalised(mode)}</b>
          {isAdvised ? (
            <Chip tone="live" className="text-tiny!">
              advised
            </Chip>
          ) : null}
        </span>
        <span className="block text-small text-ink-2">{modeLabel[mode]}</span>
        <span className="numbers block text-small text-ink-3">
          {estimate
            ? `~${plural(estimate.calls, 'call')}, ~${count(estimate.tokens)} tokens, ${estimate.cost === null ? 'price unknown' : `~${money(estimate.cost)}`}`
            : '\u00a0'}
        </span>
      </span>
    </label>
  )
}

export const choice =
  'flex gap-2.5 rounded-[10px] border border-line bg-panel px-3 py-2.5 has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-accent'

const modeLabel: Record<Mode, string> = {
  rapid: 'no panel and no expert review: for spikes and small changes',
  standard: 'a panel checks the design, experts review it, and the tests are scored',
  advanced: 'design and tests from several perspectives, deeper thinking, and assets as well as tests',
  complete: 'everything: research from several perspectives too, debated tests, and a panel that votes twice',
}
