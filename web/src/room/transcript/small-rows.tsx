/** The quieter rows: hand-offs, waiting agents, notices, ends of sessions, and messages between agents. */
import type { HTMLAttributes, ReactNode } from 'react'
import { Link } from 'wouter'
import { AgentName, Avatar } from '../../ui/avatar.tsx'
import { Dot } from '../../ui/chip.tsx'
import { clock, joinNames } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import type { Entry } from '../conversation/conversation-types.ts'
import { endLabel } from '../conversation/decision-labels.ts'
import { useRoomPage } from '../conversation/room-page-context.ts'
import { itemAttributes } from './item-attributes.ts'

type Of<Kind extends Entry['kind']> = { entry: Extract<Entry, { kind: Kind }> }

export function HandoffRow({ entry: { item, from } }: Of<'handoff'>) {
  return (
    <Aside
      {...itemAttributes(item)}
      aria-label={`${from} hands over to ${item.target}, round ${item.round} of ${item.max_rounds}`}
    >
      <Icon name="handoff" size={14} />
      <span className="wrap-anywhere">
        <AgentName name={item.target} className="font-medium!" />: {item.text}
      </span>
    </Aside>
  )
}

export function WaitingRow({ entry }: Of<'waiting'>) {
  return (
    <div
      data-testid="waiting"
      role="status"
      className="grid grid-cols-[28px_1fr] items-center gap-2.5 text-small text-ink-3"
    >
      <Avatar name={entry.agent} faded />
      <span className="flex items-center gap-2">
        <Dot tone="warn" />
        {entry.agent} is waiting to read {entry.for}'s answer
      </span>
    </div>
  )
}

export function PassedRow({ entry }: Of<'passed'>) {
  return (
    <div data-testid="passed" className="grid grid-cols-[28px_1fr] items-center gap-2.5 text-small text-ink-3">
      <Avatar name={entry.agent} faded />
      <span>{entry.agent} had nothing to add</span>
    </div>
  )
}

export function NoticeRow({ entry: { item, links, at } }: Of<'notice'>) {
  return (
    <Aside {...itemAttributes(item)} aria-label={`Notice, ${clock(at)}`}>
      <Icon name="why" size={14} />
      <span className="wrap-anywhere">
        {item.text}{' '}
        {links.map(({ label, address }) => (
          <Link
            key={address}
            href={address}
            className="mr-2 whitespace-nowrap text-accent underline underline-offset-2"
          >
            {label}
          </Link>
        ))}
        <time dateTime={at} className="whitespace-nowrap before:content-['·_']">
          {clock(at)}
        </time>
      </span>
    </Aside>
  )
}

export function SessionEndRow({ entry }: Of<'session-end'>) {
  const { reason, round, maxRounds } = entry
  return (
    <div data-testid="session-end" data-reason={reason} className="flex items-center gap-2.5 text-small text-ink-3">
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
      <span>
        <b className="font-semibold text-ink-2">Collaboration ended</b> {endLabel[reason] ?? reason} · {round} of{' '}
        {maxRounds} turns
      </span>
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
    </div>
  )
}

export function AgentMessageRow({ entry }: Of<'agent-message'>) {
  const { room } = useRoomPage()
  const { from, to, intent, topic, content, refused, depth, deliveredTo } = entry
  // A message to a person is delivered by being here.
  const isToPerson = to !== undefined && !room.agents.includes(to)
  const state =
    refused !== undefined
      ? `not delivered: ${refused.replaceAll('_', ' ')}`
      : deliveredTo.length > 0 || isToPerson
        ? 'delivered'
        : 'queued'
  return (
    <div
      data-testid="agent-message"
      data-sender={from}
      className="ml-[38px] border-l-2 border-line pl-3 text-small text-ink-2"
    >
      <div className="flex flex-wrap items-center gap-x-1.5 text-ink-3">
        <Avatar name={from} small />
        <AgentName name={from} className="font-medium!" />
        <span>→ {to ?? 'all'}</span>
        <span>· {[intent, topic, depth > 0 ? `depth ${depth}` : undefined].filter(Boolean).join(' · ')}</span>
        <span className={refused === undefined ? '' : 'text-warn'}>· {state}</span>
      </div>
      {content ? <p className="whitespace-pre-wrap wrap-anywhere">{content}</p> : null}
    </div>
  )
}

export function CappedRow({ entry }: Of<'capped'>) {
  return (
    <div
      data-testid="thread-capped"
      role="note"
      className="ml-[38px] flex gap-1.5 rounded-lg bg-warn-soft px-2.5 py-1.5 text-small text-warn"
    >
      <Icon name="warning" size={14} />
      The loop guard closed a thread between {joinNames(entry.speakers)} after {entry.depth} messages. No more messages
      are sent in it.
    </div>
  )
}

function Aside({ children, ...rest }: HTMLAttributes<HTMLElement> & { children: ReactNode }) {
  return (
    <article {...rest} className="ml-[38px] flex items-start gap-1.5 text-small text-ink-3 [&>svg]:mt-[3px]">
      {children}
    </article>
  )
}
