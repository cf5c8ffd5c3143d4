/** Every call made for a message, folded by default. */
import { AgentName } from '../../ui/avatar.tsx'
import { count, duration, plural } from '../../ui/format.ts'
import type { Ask, Message } from '../conversation/conversation-types.ts'
import { failureLabel } from '../conversation/decision-labels.ts'

const kinds: Record<string, string> = { 'micro-proposal': 'proposal', answer: 'answer', turn: 'turn' }

export function Calls({ message }: { message: Message }) {
  if (message.asks.length === 0) return null
  return (
    <details className="mt-2 text-small">
      <summary className="text-ink-3 hover:text-ink">{plural(message.asks.length, 'ask')} in detail</summary>
      <ul className="mt-1.5 space-y-1">
        {message.asks.map((ask) => (
          <li key={ask.ask} className="flex flex-wrap items-baseline gap-x-2">
            <AgentName name={ask.owner} className="font-medium!" />
            <span className="text-ink-3">
              {kinds[ask.kind] ?? ask.kind}
              {ask.owner === ask.agent ? '' : ` (asked ${ask.agent})`}
            </span>
            <Outcome ask={ask} over={message.over} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function Outcome({ ask: { finished }, over }: { ask: Ask; over: boolean }) {
  if (!finished && over) return <span className="ml-auto text-ink-3">given up</span>
  if (!finished) return <span className="ml-auto text-live">in progress</span>
  const { failure, usage, tries, milliseconds } = finished
  return (
    <>
      {failure ? (
        <span className="text-warn" title={failure.message}>
          {failureLabel[failure.reason] ?? failure.reason}
        </span>
      ) : null}
      <span className="numbers ml-auto text-ink-2">
        {tries > 1 ? `${tries} attempts · ` : ''}
        {count(usage.inputTokens)}→{count(usage.outputTokens)} tok · {duration(milliseconds)}
      </span>
    </>
  )
}
