/** A compact native select, which works with every keyboard and screen reader. */
import { Icon } from '../../ui/icons.tsx'

interface PickerProps {
  label: string
  testId: string
  value: string
  options: { value: string; text: string }[]
  onChange(value: string): void
}

export function Picker({ label, testId, value, options, onChange }: PickerProps) {
  return (
    <span className="relative inline-flex max-w-[180px] items-center text-small text-ink-2">
      <select
        aria-label={label}
        title={label}
        data-testid={testId}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-[27px] w-full appearance-none truncate rounded-full border border-line bg-sunken pr-6 pl-2.5 hover:text-ink"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      <span className="pointer-events-none absolute right-2">
        <Icon name="chevron" size={12} />
      </span>
    </span>
  )
}
