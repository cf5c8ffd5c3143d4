/** Reads the room out to screen readers: who starts writing, finished sentences, and notices. */
import { useEffect, useRef, useState } from 'react'
import { live } from '../../data/feed/live.ts'
import { useRoomPage } from '../conversation/room-page-context.ts'
import { nextSpokenText, plainText } from '../conversation/spoken-text.ts'

/** Frequent enough to follow, rare enough not to interrupt itself. */
const everyMs = 2500

export function Announcer() {
  const { conversation } = useRoomPage()
  const [words, setText] = useState('')
  const spoken = useRef(new Map<string, number>())
  const heard = useRef(conversation.lastSeq)

  useEffect(() => {
    const timer = setInterval(() => {
      const said: string[] = []
      for (const entry of conversation.entries.slice(-12)) {
        if (entry.kind === 'answers') {
          for (const answer of entry.answers) {
            const known = spoken.current.get(answer.ask)
            if (answer.item && known === undefined) continue
            const text = answer.item ? `${answer.item.text}\n` : (live.drafts.text(answer.ask) ?? '')
            const next = nextSpokenText(text, known ?? 0)
            if (known === undefined) said.push(`${answer.agent} is writing.`)
            else if (next.words) said.push(`${answer.agent}: ${next.words}`)
            spoken.current.set(answer.ask, known === undefined ? 0 : next.until)
          }
        } else if (entry.kind === 'notice' && !spoken.current.has(entry.key)) {
          spoken.current.set(entry.key, 1)
          if (conversation.lastSeq > heard.current) said.push(plainText(entry.item.text))
        }
      }
      heard.current = conversation.lastSeq
      if (said.length > 0) setText(said.join(' '))
    }, everyMs)
    return () => clearInterval(timer)
  }, [conversation])

  return (
    <div role="status" aria-live="polite" className="sr-only">
      {words}
    </div>
  )
}
