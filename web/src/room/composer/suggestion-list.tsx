/** The suggestions above the message box. */
import type { Suggestion } from './suggestions.ts'

interface SuggestionListProps {
  id: string
  suggestions: Suggestion[]
  active: number
  choose(suggestion: Suggestion): void
}

export function SuggestionList({ id, suggestions, active, choose }: SuggestionListProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Suggestions"
      tabIndex={-1}
      data-testid="suggestions"
      className="rise absolute inset-x-0 bottom-full z-20 mb-2 max-h-72 overflow-auto rounded-[10px] border border-line bg-panel p-1 shadow-lift"
    >
      {suggestions.map((suggestion, index) => (
        <div
          key={suggestion.label}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // Keep the focus in the text field.
          onPointerDown={(event) => {
            event.preventDefault()
            choose(suggestion)
          }}
          ref={(element) => {
            if (index === active) element?.scrollIntoView({ block: 'nearest' })
          }}
          className="flex items-baseline gap-3 rounded-md px-2.5 py-1.5 text-small aria-selected:bg-accent-soft"
        >
          <span className="font-medium text-ink">{suggestion.label}</span>
          <span className="truncate text-ink-2">{suggestion.detail}</span>
        </div>
      ))}
    </div>
  )
}
