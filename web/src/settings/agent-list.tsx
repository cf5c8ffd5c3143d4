/** The agents of the configuration with their state, and what else is on this machine. */
import type { ReactNode } from 'react'
import type { AgentState } from '../data/calls/settings.ts'
import { AgentName, Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Chip, type Tone } from '../ui/chip.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { TryAgent } from './try-agent.tsx'

const states: Record<AgentState['state'], { tone: Tone; text: string }> = {
  ok: { tone: 'ok', text: 'ready' },
  login: { tone: 'warn', text: 'login needed' },
  old: { tone: 'warn', text: 'too old' },
  missing: { tone: 'bad', text: 'cannot be asked' },
  off: { tone: 'plain', text: 'not connected' },
}

interface AgentListProps {
  agents: readonly AgentState[]
  /** What is being connected now. */
  connecting?: string | null
  onConnect?(id: string): void
}

export function AgentList({ agents, connecting = null, onConnect }: AgentListProps) {
  return (
    <ul className="overflow-hidden rounded-[10px] border border-line bg-panel text-small">
      {agents.map((agent) => (
        <li
          key={`${agent.name} ${agent.provider}`}
          data-agent={agent.name}
          className="not-first:border-t not-first:border-line"
        >
          {agent.cost ? (
            <TryAgent
              agent={agent}
              cost={agent.cost}
              row={(action, tried = agent.state) => <Row agent={{ ...agent, state: tried }}>{action}</Row>}
            />
          ) : (
            <Row agent={agent}>
              {agent.connect && onConnect ? (
                <Button
                  disabled={connecting !== null}
                  onClick={() => onConnect(agent.connect!)}
                  aria-label={`Connect ${agent.title ?? agent.name}`}
                >
                  {connecting === agent.connect ? 'Connecting…' : 'Connect'}
                </Button>
              ) : null}
            </Row>
          )}
        </li>
      ))}
    </ul>
  )
}

function Row({ agent, children }: { agent: AgentState; children: ReactNode }) {
  const { name, provider, title, model, state, detail, fix } = agent
  const { tone, text } = provider === 'rehearsal' && state === 'ok' ? rehearsal : states[state]
  // The chip says that it is a rehearsal.
  const about = provider === 'rehearsal' ? '' : [title ?? provider, model].filter(Boolean).join(' · ')
  return (
    <div className="flex items-start gap-2.5 px-3.5 py-2.5 max-[759px]:px-3">
      <Avatar name={name} small faded={state !== 'ok'} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <AgentName name={name} />
          <span className="wrap-anywhere text-ink-2">{about}</span>
          <Chip tone={tone}>{text}</Chip>
        </div>
        <p className="mt-0.5 wrap-anywhere text-ink-3">{detail}</p>
        {fix && !agent.connect ? <Fix text={fix} /> : null}
      </div>
      {children}
    </div>
  )
}

const rehearsal: { tone: Tone; text: string } = { tone: 'warn', text: 'rehearsal' }

function Fix({ text }: { text: string }) {
  return (
    <div className="mt-1.5 flex items-center gap-1 rounded-md border border-line bg-sunken py-0.5 pr-0.5 pl-2">
      <code className="numbers min-w-0 flex-1 wrap-anywhere text-ink">{text}</code>
      <CopyButton text={text} label="Copy the fix" />
    </div>
  )
}
