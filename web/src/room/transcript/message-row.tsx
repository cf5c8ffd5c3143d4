/** A person's message, and how it was addressed. */
import { useState } from 'react'
import { overrideText } from '../../data/calls/rooms.ts'
import { useMe } from '../../data/calls/use-me.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { clock, count } from '../../ui/format.ts'
import type { Entry, Message } from '../conversation/conversation-types.ts'
import { overrideLabel } from '../conversation/override-label.ts'
import { useRoomPage } from '../conversation/room-page-context.ts'
import { Attachments } from './attachments.tsx'
import { itemAttributes } from './item-attributes.ts'

export function MessageRow({ entry }: { entry: Extract<Entry, { kind: 'message' }> }) {
  const { room } = useRoomPage()
  const { message, item } = entry
  const sender = senderOf(message.by, useMe()?.name)
  return (
    <article
      {...itemAttributes(item)}
      id={`message-${message.id}`}
      aria-label={`${sender}, ${clock(message.at)}`}
      className="grid grid-cols-[28px_1fr] gap-2.5"
    >
      <Avatar name="you" initial={sender} />
      <div className="min-w-0">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-semibold">{sender}</span>
          <time dateTime={message.at} className="text-small text-ink-3">
            {clock(message.at)}
          </time>
          <span className="text-small text-ink-3">{meant(message, room.agents)}</span>
        </div>
        <Words text={message.text} />
        <Attachments attachments={message.attachments} />
      </div>
    </article>
  )
}

/** The holder of the server's own token has no name. */
function senderOf(by: string | undefined, me = 'you'): string {
  if (by === undefined || by === me) return 'You'
  return by === 'you' ? 'Owner' : by
}

/** Longer texts are folded: a pasted log must not bury the answer to it. */
const longestShown = 3000

function Words({ text }: { text: string }) {
  const [whole, setWhole] = useState(text.length <= longestShown)
  return (
    <>
      <p className="whitespace-pre-wrap wrap-anywhere">{whole ? text : `${text.slice(0, longestShown)}…`}</p>
      {whole ? null : (
        <button type="button" onClick={() => setWhole(true)} className="mt-1 text-small text-accent hover:underline">
          Show all {count(text.length)} characters
        </button>
      )}
    </>
  )
}

function meant({ mode, target, session, override }: Message, agents: readonly string[]): string {
  if (mode === 'single') return `to ${target}`
  if (mode === 'coordinate') return override ? overrideLabel(overrideText(override), agents) : ''
  const name = mode === 'autopilot' ? 'autopilot' : 'collaborate'
  return session ? `${name}, ${session.speaker} starts` : name
}
