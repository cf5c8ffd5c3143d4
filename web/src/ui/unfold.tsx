/** A section that renders its content only when opened. */
import { type ReactNode, useState } from 'react'
import { Icon } from './icons.tsx'

interface UnfoldProps {
  label: ReactNode
  children: ReactNode
  startOpen?: boolean
}

export function Unfold({ label, children, startOpen = false }: UnfoldProps) {
  const [open, setOpen] = useState(startOpen)
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex max-w-full items-center gap-1 rounded-md py-0.5 pr-2 pl-0.5 text-small text-ink-2 hover:bg-hover hover:text-ink"
      >
        <span className={open ? '' : '-rotate-90'}>
          <Icon name="chevron" size={14} />
        </span>
        <span className="min-w-0 truncate">{label}</span>
      </button>
      {open ? <div className="mt-1.5">{children}</div> : null}
    </div>
  )
}
