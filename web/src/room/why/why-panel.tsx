/** Explains one message: the decision, the calls and the cost. */
import { live } from '../../data/feed/live.ts'
import { useWatched } from '../../data/watched.ts'
import { Section } from '../../ui/section.tsx'
import type { Message } from '../conversation/conversation-types.ts'
import { whyTitle } from '../conversation/decision-labels.ts'
import { useRoomPage } from '../conversation/room-page-context.ts'
import { AskAgain } from './ask-again.tsx'
import { Calls } from './calls.tsx'
import { CostTable } from './cost-table.tsx'
import { DecisionWhy } from './decision-why.tsx'
import { PeersWhy } from './peers-why.tsx'
import { SessionWhy } from './session-why.tsx'

export function WhyPanel() {
  const { conversation, selected, partial } = useRoomPage()
  const message = selected === null ? latest(conversation.messages) : conversation.messages.get(selected)
  if (!message) return <Nothing missing={selected !== null} reading={partial} />
  return (
    <div data-testid="why" data-message={message.id} className="p-4">
      <h2 className="mb-2.5 text-[13px] font-semibold">{whyTitle(message)}</h2>
      <p className="mb-3 line-clamp-2 text-small text-ink-2 wrap-anywhere">“{message.text}”</p>
      <Explanation message={message} />
      <PeersWhy message={message} />
      <Section title="Cost">
        <CostTable message={message} />
      </Section>
      <Calls message={message} />
      <AskAgain message={message} />
    </div>
  )
}

function Explanation({ message }: { message: Message }) {
  const rehearsing = useWatched(live.agents)?.find(({ name }) => name === message.target)?.rehearsal
  if (message.session) return <SessionWhy message={message} session={message.session} />
  if (message.decision) return <DecisionWhy decision={message.decision} />
  if (message.mode === 'single') {
    return (
      <p className="rounded-lg bg-sunken px-2.5 py-2 text-small">
        Only <b className="font-medium">{message.target}</b> was asked. There were no proposals, and no other agent
        steps in if it fails.{rehearsing ? ' It is a rehearsal agent: its replies come from a script.' : ''}
      </p>
    )
  }
  const asked = message.asks.filter((ask) => ask.kind === 'micro-proposal')
  const proposed = asked.filter((ask) => ask.finished).length
  if (message.over) {
    return (
      <p className="rounded-lg bg-sunken px-2.5 py-2 text-small">
        {message.stopped ? 'You stopped it' : 'It ended'} when {proposed} of {asked.length} agents had proposed. No
        agent was asked to answer.
      </p>
    )
  }
  return (
    <p className="rounded-lg bg-sunken px-2.5 py-2 text-small" role="status">
      {asked.length === 0
        ? 'The message is in the log; its round is about to start.'
        : `${proposed} of ${asked.length} agents have proposed. The rule decides when all have proposed or the time limit is reached.`}
    </p>
  )
}

function Nothing({ missing, reading }: { missing: boolean; reading: boolean }) {
  if (reading) return <p className="p-4 text-small text-ink-3">Loading earlier messages…</p>
  return (
    <div className="p-4 text-small text-ink-2">
      <h2 className="mb-1.5 text-[13px] font-semibold text-ink">{missing ? 'No such message' : 'Why'}</h2>
      {missing
        ? 'Message not found in this room.'
        : 'After the first message, this shows who answered and why: what each agent proposed, how much the proposals overlap, which rule applied, and what it cost.'}
    </div>
  )
}

function latest(messages: Map<string, Message>): Message | undefined {
  let last: Message | undefined
  for (const message of messages.values()) last = message
  return last
}
