/** How the next message is answered: one of three. */
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
      className="flex max-w-full overflow-hidden rounded-lg border border-line text-small"
    >
      {modes.map(({ mode, label }) => (
        <label
          key={mode}
          className="min-w-0 truncate border-line px-2.5 py-[3.5px] text-ink-2 not-first:border-l hover:text-ink has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-[-2px] has-focus-visible:outline-accent"
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
