/** What the parts of a room's page share. */
import { createContext, useContext } from 'react'
import type { Room } from '../../data/calls/rooms.ts'
import type { Presence } from '../peers/use-presence.ts'
import type { Conversation } from './conversation-types.ts'

export interface RoomPage {
  room: Room
  /** Which peers are present; null in rooms without peers. */
  presence: Presence | null
  conversation: Conversation
  /** Only the latest part of the conversation is loaded. */
  partial: boolean
  /** Incremented with every change. */
  revision: number
  /** The message that is being explained, if the address names one. */
  selected: string | null
  /** How many messages were sent from this page: sending one brings its reader to the end. */
  sent: number
  /** Shows why a message was answered as it was. */
  explain(messageId: string): void
}

export const RoomPageContext = createContext<RoomPage | null>(null)

export function useRoomPage(): RoomPage {
  const page = useContext(RoomPageContext)
  if (!page) throw new Error('useRoomPage must be used inside a room page')
  return page
}
