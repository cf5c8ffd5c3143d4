/** What a person can do to a room as a whole, and what went wrong with it. */
import { useRef, useState } from 'react'
import { startShip } from '../data/calls/ships.ts'
import { newId } from '../data/new-id.ts'
import { writeInComposer } from './composer/composer-handle.ts'
import type { Message } from './conversation/conversation-types.ts'
import { setOverride, stopMessage } from './conversation/running.ts'

export function useRoomActions(room: string, running: Message[]) {
  const [problem, setProblem] = useState<string | null>(null)
  const asked = useRef(new Set<string>())
  const failed = (what: string) => (error: Error) => setProblem(`${what} ${error.message}`)
  return {
    problem,
    /** Everything that is running; each is asked once. */
    stop() {
      setProblem(null)
      for (const message of running) {
        if (asked.current.has(message.id)) continue
        asked.current.add(message.id)
        stopMessage(message).catch((error: Error) => {
          asked.current.delete(message.id)
          failed('Not stopped.')(error)
        })
      }
    },
    /** It is said here, and this room hears how it goes. */
    ship(goal: string) {
      setProblem(null)
      startShip({ id: `ship-${newId()}`, goal, room }).catch((error: Error) => {
        writeInComposer(`/ship ${goal}`)
        failed('Not shipped.')(error)
      })
    },
    override(override: string | null) {
      setProblem(null)
      setOverride(room, override).catch(failed('Not set.'))
    },
  }
}
