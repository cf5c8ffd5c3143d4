/** A speaker's initial and colour. */
import { agentColour } from './agent-colour.ts'

interface AvatarProps {
  name: string
  /** Begins with the letter to show, if that is not the name's. */
  initial?: string
  small?: boolean
  faded?: boolean
}

export function Avatar({ name, initial = name, small = false, faded = false }: AvatarProps) {
  const size = small ? 'size-5 rounded-md text-[10px]' : 'size-7 rounded-lg text-[12px]'
  return (
    <span
      aria-hidden="true"
      className={`inline-grid shrink-0 place-items-center font-semibold select-none ${size} ${faded ? 'opacity-45' : ''}`}
      style={{ background: agentColour(name), color: 'var(--on-agent)' }}
    >
      {[...initial][0]?.toUpperCase() ?? '?'}
    </span>
  )
}

export function AgentName({ name, className = '' }: { name: string; className?: string }) {
  return (
    <span className={`font-semibold ${className}`} style={{ color: agentColour(name) }}>
      {name}
    </span>
  )
}
