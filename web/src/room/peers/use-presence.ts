/** Which peers of a room are present. */
import { useEffect, useState } from 'react'
import { getRoom, type Room } from '../../data/calls/rooms.ts'

export type Presence = NonNullable<Room['peers']>

/** Asked again and again, because a peer that dies says nothing. */
const everyMs = 3_000

/** Null in rooms without peers, and until it is known. */
export function usePresence({ id, dispatch }: Room): Presence | null {
  const [found, setFound] = useState<{ id: string; peers: Presence } | null>(null)
  useEffect(() => {
    if (dispatch !== 'peers') return
    let wanted = true
    const look = () => {
      if (document.hidden) return
      getRoom(id).then(
        ({ peers }) => wanted && peers && setFound({ id, peers }),
        // The next look may succeed.
        () => {},
      )
    }
    look()
    const timer = setInterval(look, everyMs)
    return () => {
      wanted = false
      clearInterval(timer)
    }
  }, [id, dispatch])
  return found?.id === id ? found.peers : null
}
