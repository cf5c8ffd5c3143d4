/** The participants of a collaboration, in the order chosen; at least one. */
import { useEffect, useRef, useState } from 'react'
import { Avatar } from '../../ui/avatar.tsx'
import { Icon } from '../../ui/icons.tsx'

interface ParticipantsProps {
  agents: readonly string[]
  chosen: readonly string[]
  onChange(chosen: string[]): void
}

export function Participants({ agents, chosen, onChange }: ParticipantsProps) {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    if (!open) return
    const outside = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [open])
  return (
    <fieldset
      ref={root}
      className="relative"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return
        event.stopPropagation()
        setOpen(false)
        root.current?.querySelector('button')?.focus()
      }}
    >
      <legend className="sr-only">Participants</legend>
      <button
        type="button"
        data-testid="participants"
        aria-label={`Participants: ${chosen.join(', ')}`}
        aria-expanded={open}
        aria-haspopup="true"
        onClick={() => setOpen(!open)}
        className="flex h-[27px] max-w-[180px] items-center gap-1 truncate rounded-full border border-line bg-sunken pr-2 pl-2.5 text-small text-ink-2 hover:text-ink"
      >
        {chosen.length} {chosen.length === 1 ? 'agent' : 'agents'}
        <Icon name="chevron" size={12} />
      </button>
      {open ? (
        <div className="rise absolute bottom-full left-0 z-20 mb-1.5 min-w-44 rounded-[10px] border border-line bg-panel p-1 shadow-lift">
          {agents.map((name) => (
            <label key={name} className="flex items-center gap-2 rounded-md px-2 py-1.5 text-small hover:bg-hover">
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                disabled={chosen.length === 1 && chosen.includes(name)}
                onChange={(event) =>
                  onChange(event.target.checked ? [...chosen, name] : chosen.filter((each) => each !== name))
                }
                className="accent-(--accent)"
              />
              <Avatar name={name} small />
              <span className="truncate">{name}</span>
            </label>
          ))}
        </div>
      ) : null}
    </fieldset>
  )
}
