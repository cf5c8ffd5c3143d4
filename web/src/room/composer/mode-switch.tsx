/** Chooses one of the three modes. */
import { type Composition, collaborateLabel } from './composition.ts'

interface ModeSwitchProps {
  composition: Composition
  change(part: Partial<Composition>): void
}

export function ModeSwitch({ composition, change }: ModeSwitchProps) {
  const modes = [
    { mode: 'single', label: 'Single call' },
    { mode: 'collaborate', label: collaborateLabel(composition.participants) },
    { mode: 'coordinate', label: 'Coordinate' },
  ] as const
  return (
    <div
      role="radiogroup"
      aria-label="Mode"
      data-testid="mode"
      className="flex max-w-full overflow-hidden rounded-lg border border-line text-small max-[759px]:w-full"
    >
      {modes.map(({ mode, label }) => (
        <label
          key={mode}
          data-mode={mode}
          className="flex min-w-fit items-center justify-center border-line px-2.5 py-[3.5px] text-center leading-snug wrap-anywhere text-ink-2 max-[759px]:flex-auto max-[759px]:px-2 data-[mode=collaborate]:min-w-20 not-first:border-l hover:text-ink has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-[-2px] has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="mode"
            value={mode}
            checked={composition.mode === mode}
            onChange={() => change({ mode })}
            className="sr-only"
          />
          {label}
        </label>
      ))}
    </div>
  )
}
