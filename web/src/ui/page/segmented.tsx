/** A choice of two or three, all in view. */

interface SegmentedProps<Id extends string> {
  label: string
  /** Unique on the page. */
  name: string
  options: readonly { id: Id; label: string }[]
  chosen: Id
  onChoose(id: Id): void
  title?: string
  className?: string
}

export function Segmented<Id extends string>(props: SegmentedProps<Id>) {
  const { label, name, options, chosen, onChoose, title, className = '' } = props
  return (
    <div
      role="radiogroup"
      aria-label={label}
      title={title}
      className={`inline-flex shrink-0 overflow-hidden rounded-lg border border-line text-small ${className}`}
    >
      {options.map((option) => (
        <label
          key={option.id}
          className="px-2.5 py-0.5 text-ink-2 not-first:border-l not-first:border-line has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={chosen === option.id}
            onChange={() => onChoose(option.id)}
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
