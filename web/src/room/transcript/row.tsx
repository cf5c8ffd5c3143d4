/** One row of the transcript. It re-renders only when its entry changes. */
import { memo } from 'react'
import type { Entry, Message } from '../conversation/conversation-types.ts'
import { AnswersRow } from './answers-row.tsx'
import { MessageRow } from './message-row.tsx'
import { Reference } from './reference.tsx'
import { RoundStrip } from './round-strip.tsx'
import {
  AgentMessageRow,
  CappedRow,
  HandoffRow,
  NoticeRow,
  PassedRow,
  SessionEndRow,
  WaitingRow,
} from './small-rows.tsx'

interface RowProps {
  entry: Entry
  revision: number
  /** The message it belongs to, if the row above belongs to another. */
  about: Message | undefined
}

export const Row = memo(function Row({ entry, about }: RowProps) {
  return (
    <>
      {about ? <Reference message={about} /> : null}
      <Content entry={entry} />
    </>
  )
})

function Content({ entry }: { entry: Entry }) {
  switch (entry.kind) {
    case 'message':
      return <MessageRow entry={entry} />
    case 'round':
      return <RoundStrip entry={entry} />
    case 'answers':
      return <AnswersRow entry={entry} />
    case 'waiting':
      return <WaitingRow entry={entry} />
    case 'passed':
      return <PassedRow entry={entry} />
    case 'handoff':
      return <HandoffRow entry={entry} />
    case 'notice':
      return <NoticeRow entry={entry} />
    case 'session-end':
      return <SessionEndRow entry={entry} />
    case 'agent-message':
      return <AgentMessageRow entry={entry} />
    case 'capped':
      return <CappedRow entry={entry} />
    default:
      return entry satisfies never
  }
}

/** A first guess at a row's height, until it is measured. */
export function guessHeight(entry: Entry): number {
  const text = 'item' in entry ? entry.item.text : entry.kind === 'answers' ? (entry.answers[0]?.item?.text ?? '') : ''
  const lines = Math.max(1, Math.ceil(text.length / 80))
  switch (entry.kind) {
    case 'message':
      return 46 + 22 * lines
    case 'answers':
      return 52 + 22 * lines
    case 'agent-message':
      return 60
    default:
      return 42
  }
}
