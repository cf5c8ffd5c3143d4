/** Actions on a room as a whole, and their errors. */
import { useRef, useState } from 'react'
import { tellAgent } from '../data/calls/rooms.ts'
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
    /** Stops everything that is running; asks the server once for each message. */
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
    /** Posts the goal and its progress in this room. */
    ship(goal: string) {
      setProblem(null)
      startShip({ id: `ship-${newId()}`, goal, room }).catch((error: Error) => {
        writeInComposer(`/ship ${goal}`)
        failed('Not shipped.')(error)
      })
    },
    tell(agent: string, text: string) {
      setProblem(null)
      tellAgent(room, agent, text).catch((error: Error) => {
        writeInComposer(`/tell ${agent} ${text}`)
        failed('Not sent.')(error)
      })
    },
    override(override: string | null) {
      setProblem(null)
      setOverride(room, override).catch(failed('Not set.'))
    },
  }
}
