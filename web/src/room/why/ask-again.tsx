/** Overrides: ask a message again another way, or set an override for the room. */
import { useState } from 'react'
import { overrideText, postMessage } from '../../data/calls/rooms.ts'
import { newId } from '../../data/new-id.ts'
import { ApiError } from '../../data/request.ts'
import { Button } from '../../ui/button.tsx'
import { capitalised } from '../../ui/format.ts'
import { Section } from '../../ui/section.tsx'
import type { Message } from '../conversation/conversation-types.ts'
import { overrideLabel } from '../conversation/override-label.ts'
import { useRoomPage } from '../conversation/room-page-context.ts'
import { setOverride } from '../conversation/running.ts'

export function AskAgain({ message }: { message: Message }) {
  const { room } = useRoomPage()
  const [problem, setProblem] = useState<string | null>(null)
  if (message.session) return null
  const choices = [...(room.agents.length > 1 ? ['both'] : []), ...room.agents.map((name) => `only ${name}`)]
  const words = (choice: string) => capital(overrideLabel(choice, room.agents), room.agents)
  const attempt = (action: () => Promise<unknown>) => {
    setProblem(null)
    action().catch((error) => setProblem(error instanceof ApiError ? error.message : String(error)))
  }
  const again = (override: string) =>
    attempt(() => postMessage(room.id, { text: message.text, message_id: newId(), mode: 'coordinate', override }))
  const inRoom = (override: string | null) => attempt(() => setOverride(room.id, override))
  const now = room.override ? overrideText(room.override) : null
  return (
    <>
      <Section title="Ask this again">
        <div className="flex flex-wrap gap-1.5">
          {choices.map((choice) => (
            <Button key={choice} onClick={() => again(choice)}>
              {words(choice)}
            </Button>
          ))}
        </div>
      </Section>
      <Section title="From now on in this room">
        <div className="flex flex-wrap gap-1.5">
          {[null, ...choices].map((choice) => (
            <Button
              key={choice ?? 'rule'}
              aria-pressed={now === choice}
              aria-label={`In this room: ${choice === null ? 'the rule decides' : overrideLabel(choice, room.agents)}`}
              className="aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
              onClick={() => inRoom(choice)}
            >
              {choice === null ? 'The rule decides' : words(choice)}
            </Button>
          ))}
        </div>
      </Section>
      {problem ? (
        <p role="alert" className="mt-2 text-small text-bad">
          {problem}
        </p>
      ) : null}
    </>
  )
}

/** An agent's name stays as it is. */
function capital(text: string, names: readonly string[]): string {
  if (names.some((name) => text.startsWith(name))) return text
  return capitalised(text)
}
