/** One agent's reply: complete, streaming, or not started. */
import { useDraft } from '../../data/feed/use-draft.ts'
import { AgentName, Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Dot } from '../../ui/chip.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { hundredths, money, plural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { Markdown } from '../../ui/text/markdown.tsx'
import type { Answer as AnswerFacts, Ask, Message } from '../conversation/conversation-types.ts'
import { becauseOf } from '../conversation/decision-labels.ts'
import { isExplainedAtAnswer } from '../conversation/explained-at-answer.ts'
import { useRoomPage } from '../conversation/room-page-context.ts'
import { flagLabel } from '../peers/peer-facts.ts'
import { itemAttributes } from './item-attributes.ts'

interface AnswerProps {
  message: Message
  answer: AnswerFacts
  card?: boolean
}

export function Answer({ message, answer, card = false }: AnswerProps) {
  const { agent, item } = answer
  const attributes = item
    ? itemAttributes(item)
    : { 'data-testid': 'draft', 'data-sender': agent, 'data-round': answer.round }
  const place = answer.round === undefined ? '' : `, round ${answer.round} of ${answer.maxRounds}`
  return (
    <article
      {...attributes}
      aria-label={`${agent}${place}${item ? '' : ', writing'}`}
      aria-busy={item === undefined}
      className={`shows-actions relative ${card ? '' : 'grid grid-cols-[28px_1fr] gap-2.5'}`}
    >
      {card ? null : <Avatar name={agent} />}
      <div className="min-w-0">
        <Head message={message} answer={answer} card={card} />
        {item ? <Markdown text={item.text} /> : <Draft ask={answer.ask} />}
        {answer.warning ? <Warning text={answer.warning} /> : null}
      </div>
    </article>
  )
}

function Head({ message, answer, card }: Required<AnswerProps>) {
  const { agent, item, rehearsal } = answer
  return (
    <div className={`flex min-h-7 flex-wrap items-center gap-x-2 ${card ? 'mb-1.5' : ''}`}>
      {card ? <Avatar name={agent} /> : null}
      <AgentName name={agent} />
      {isExplainedAtAnswer(message.decision) ? <Why message={message} agent={agent} /> : null}
      {rehearsal ? (
        <span
          data-testid="rehearsal"
          title="This agent plays a script; no model was called."
          className="rounded-full border border-line px-1.5 text-tiny text-warn"
        >
          rehearsal
        </span>
      ) : null}
      <span className="min-w-0 truncate text-small text-ink-3">{facts(message, answer)}</span>
      <LookedUp tools={toolsOf(message, answer)} />
      {item ? null : <Writing ask={answer.ask} doing={toolsOf(message, answer).at(-1)?.summary} />}
      <Actions message={message} answer={answer} />
    </div>
  )
}

/** In place of the row that explains a round of several answers. */
function Why({ message, agent }: { message: Message; agent: string }) {
  const { explain } = useRoomPage()
  const label = `Why ${agent} answered: ${becauseOf(message.decision!)}`
  return <IconButton icon="why" label={label} onClick={() => explain(message.id)} className="-mx-1 size-5 *:size-3.5" />
}

/** Overlaid, so that the actions take no space from the text. */
function Actions({ message, answer: { agent, item } }: Omit<AnswerProps, 'card'>) {
  const { explain } = useRoomPage()
  return (
    <span className="quiet-action absolute -top-0.5 -right-1 flex rounded-md border border-line bg-panel shadow-[0_1px_3px_#0000000f]">
      {item ? <CopyButton text={item.text} label={`Copy ${agent}'s answer`} /> : null}
      {isExplainedAtAnswer(message.decision) ? null : (
        <IconButton icon="why" label={`Why ${agent} answered`} onClick={() => explain(message.id)} />
      )}
    </span>
  )
}

function facts(message: Message, answer: AnswerFacts): string {
  const { decision, asks } = message
  const usd = asks.find(({ ask }) => ask === answer.ask)?.finished?.usage.usd
  const confidence = decision?.proposals[answer.agent]?.confidence
  const waited = message.waiting.find(({ agent }) => agent === answer.agent)
  return [
    answer.round === undefined ? undefined : `round ${answer.round} of ${answer.maxRounds}`,
    answer.role === 'stand-in' ? `in place of ${decision?.winner}` : undefined,
    ...answer.flags.map((flag) => flagLabel[flag]),
    waited && !answer.flags.includes('wait') ? `after reading ${waited.for}` : undefined,
    decision?.mode === 'parallel' && answer.agent === decision.winner && decision.proposals[answer.agent]
      ? 'primary'
      : undefined,
    confidence === undefined ? undefined : `confidence ${hundredths(confidence)}`,
    usd ? money(usd) : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' · ')
}

function toolsOf(message: Message, answer: AnswerFacts): Ask['tools'] {
  return message.asks.find(({ ask }) => ask === answer.ask)?.tools ?? []
}

/** How many files the agent read, or how many tools it used; each call is in the tooltip. */
function LookedUp({ tools }: { tools: Ask['tools'] }) {
  if (tools.length === 0) return null
  const files = new Set(tools.flatMap(({ file }) => file ?? [])).size
  const text = files > 0 ? `read ${plural(files, 'file')}` : plural(tools.length, 'tool call')
  return (
    <span
      data-testid="looked-up"
      title={tools.map(({ summary }) => summary).join('\n')}
      className="shrink-0 text-small text-ink-3"
    >
      {text}
    </span>
  )
}

function Writing({ ask, doing }: { ask: string; doing: string | undefined }) {
  const begun = (useDraft(ask) ?? '') !== ''
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-small text-live">
      <Dot tone="live" />
      <span className="truncate">{begun ? 'writing' : (doing ?? 'thinking')}</span>
    </span>
  )
}

function Draft({ ask }: { ask: string }) {
  const text = useDraft(ask) ?? ''
  return text === '' ? <p className="caret" /> : <Markdown text={text} writing />
}

function Warning({ text }: { text: string }) {
  return (
    <p
      role="note"
      data-testid="warning"
      className="mt-2 flex gap-1.5 rounded-lg bg-warn-soft px-2.5 py-1.5 text-small text-warn"
    >
      <span className="mt-0.5">
        <Icon name="warning" size={14} />
      </span>
      <span className="wrap-anywhere">{text}</span>
    </p>
  )
}
