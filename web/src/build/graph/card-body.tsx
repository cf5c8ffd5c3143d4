/** The content of a node's card, the same in the graph and in the list. */
import { agentColour } from '../../ui/agent-colour.ts'
import { Dot } from '../../ui/chip.tsx'
import { CutName } from '../../ui/cut-name.tsx'
import { Elapsed } from '../../ui/elapsed.tsx'
import { spending } from '../../ui/format.ts'
import type { NodeCard } from '../view/node-card.ts'
import { ProgressBar } from './progress-bar.tsx'

const textTones = { plain: 'text-ink-2', live: 'text-live', ok: 'text-ok', warn: 'text-warn', bad: 'text-bad' } as const

export function CardBody({ card, since }: { card: NodeCard; since: number }) {
  const { tone, tests, agent } = card
  return (
    <span className="flex h-full min-w-0 flex-col gap-1.5 text-left">
      <span className="flex items-baseline gap-2">
        <b className="min-w-0 font-semibold">
          <CutName name={card.id} />
        </b>
        {agent ? (
          <span className="ml-auto shrink-0 text-tiny font-medium" style={{ color: agentColour(agent) }}>
            {agent}
          </span>
        ) : null}
      </span>
      <span className={`flex items-center gap-2 text-small ${textTones[tone]}`}>
        <Dot tone={tone} />
        <span className="truncate">{card.words}</span>
      </span>
      <ProgressBar card={card} since={since} />
      <span className="mt-auto flex items-center gap-2 text-tiny text-ink-3">
        <span className={`truncate ${tests ? textTones[tests.tone === 'live' ? 'plain' : tests.tone] : ''}`}>
          {tests ? tests.words : 'no tests yet'}
        </span>
        <span className="numbers ml-auto shrink-0">{card.started ? spending(card) : ''}</span>
        <span className="shrink-0">{card.started ? <Elapsed since={card.started} until={card.finished} /> : null}</span>
      </span>
    </span>
  )
}
