/** The parts of a form that starts something. */
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { newId } from '../../data/new-id.ts'
import { ApiError } from '../../data/request.ts'

interface CheckOptionProps {
  label: string
  /** What it means, in small print. */
  more: string
  checked: boolean
  onChange(checked: boolean): void
  className?: string
}

export function CheckOption({ label, more, checked, onChange, className = '' }: CheckOptionProps) {
  return (
    <label className={`flex items-baseline gap-2.5 ${className}`}>
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="translate-y-px accent-(--accent)"
      />
      <span>
        {label}
        <span className="block text-small text-ink-3">{more}</span>
      </span>
    </label>
  )
}

interface RadioCardProps {
  name: string
  label: string
  checked: boolean
  onChoose(): void
  /** Beside the label. */
  badge?: ReactNode
  /** What it means, in small print. */
  more: ReactNode
  'data-testid'?: string
  'data-mode'?: string
}

export function RadioCard({ name, label, checked, onChoose, badge, more, ...data }: RadioCardProps) {
  return (
    <label
      className="flex gap-2.5 rounded-[10px] border border-line bg-panel px-3 py-2.5 has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
      {...data}
    >
      <input
        type="radio"
        name={name}
        checked={checked}
        onChange={onChoose}
        className="mt-1 self-start accent-(--accent)"
      />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <b className="font-medium">{label}</b>
          {badge}
        </span>
        <span className="block text-small text-ink-2">{more}</span>
      </span>
    </label>
  )
}

export function FormProblem({ problem }: { problem: string | null }) {
  if (problem === null) return null
  return (
    <p role="alert" className="mt-4 rounded-lg bg-bad-soft px-3 py-2 text-small text-bad">
      {problem}
    </p>
  )
}

export interface Start {
  starting: boolean
  problem: string | null
  submit(event: FormEvent): Promise<void>
}

/**
 * Starts a run from a form. An attempt that never reached the server is repeated with the same id, so that the run starts
 * only once; after a refusal the next attempt gets a new id.
 */
export function useStart(kind: 'plan' | 'build' | 'ship', ready: boolean, start: (id: string) => Promise<void>): Start {
  const [starting, setStarting] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const id = useRef(`${kind}-${newId()}`)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!ready || starting) return
    setStarting(true)
    setProblem(null)
    try {
      await start(id.current)
    } catch (error) {
      setStarting(false)
      if (!(error instanceof ApiError) || error.status !== 0) id.current = `${kind}-${newId()}`
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return { starting, problem, submit }
}
