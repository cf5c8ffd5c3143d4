/** The inspector of a message: why it was answered as it was, from what, and what that cost. */
import { live } from '../../data/feed/live.ts'
import { useWatched } from '../../data/watched.ts'
import { Section } from '../../ui/section.tsx'
import type { Message } from '../conversation/story-types.ts'
import { useRoomPage } from '../conversation/use-room.ts'
import { whyTitle } from '../conversation/words.ts'
import { AskAgain } from './ask-again.tsx'
import { Calls } from './calls.tsx'
import { CostTable } from './cost-table.tsx'
import { DecisionWhy } from './decision-why.tsx'
import { SessionWhy } from './session-why.tsx'

export function WhyPanel() {
  const { story, selected, partial } = useRoomPage()
  const message = selected === null ? latest(story.messages) : story.messages.get(selected)
  if (!message) return <Nothing missing={selected !== null} reading={partial} />
  return (
    <div data-testid="why" data-message={message.id} className="p-4">
      <h2 className="mb-2.5 text-[13px] font-semibold">{whyTitle(message)}</h2>
      <p className="mb-3 line-clamp-2 text-small text-ink-2 wrap-anywhere">“{message.text}”</p>
      <Explanation message={message} />
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
        You called <b className="font-medium">{message.target}</b> alone. No proposals were asked for, and nobody steps
        in if it fails.{rehearsing ? ' It rehearses: its words come from a script.' : ''}
      </p>
    )
  }
  const asked = message.asks.filter((ask) => ask.kind === 'micro-proposal')
  const proposed = asked.filter((ask) => ask.finished).length
  if (message.over) {
    return (
      <p className="rounded-lg bg-sunken px-2.5 py-2 text-small">
        {message.stopped ? 'You stopped it' : 'It ended'} when {proposed} of {asked.length} agents had proposed. Nobody
        was asked to answer.
      </p>
    )
  }
  return (
    <p className="rounded-lg bg-sunken px-2.5 py-2 text-small" role="status">
      {asked.length === 0
        ? 'The message is in the log; its round is about to begin.'
        : `${proposed} of ${asked.length} agents have proposed. The rule decides when all have, or when their time is up.`}
    </p>
  )
}

function Nothing({ missing, reading }: { missing: boolean; reading: boolean }) {
  if (reading) return <p className="p-4 text-small text-ink-3">Reading earlier messages…</p>
  return (
    <div className="p-4 text-small text-ink-2">
      <h2 className="mb-1.5 text-[13px] font-semibold text-ink">{missing ? 'No such message' : 'Why'}</h2>
      {missing
        ? 'There is no message with this address in the room.'
        : 'Once something has been said, this shows who answered and why: what each agent proposed, how much they overlap, which rule fired, and what it cost.'}
    </div>
  )
}

function latest(messages: Map<string, Message>): Message | undefined {
  let last: Message | undefined
  for (const message of messages.values()) last = message
  return last
}
