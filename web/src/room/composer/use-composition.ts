/** The options and unsent text of each room, kept between visits. */
import { useState } from 'react'
import { recall, remember } from '../../data/memory.ts'
import { type Composition, fitComposition } from './composition.ts'

export function useComposition(room: { id: string; agents: string[] }) {
  const place = `composition.${room.id}`
  const [kept, setKept] = useState<{ room: string; parts: Partial<Composition> | undefined }>(() => ({
    room: room.id,
    parts: recall<Partial<Composition>>(place),
  }))
  const parts = kept.room === room.id ? kept.parts : recall<Partial<Composition>>(place)
  const composition = { ...fitComposition(parts, room.agents), override: parts?.override ?? null }
  const change = (part: Partial<Composition>) => {
    const next = { ...composition, ...part }
    setKept({ room: room.id, parts: next })
    // A message's own override is for that message.
    remember(place, { ...next, override: null })
  }
  return { composition, change }
}

export const recallText = (room: string) => recall<string>(`text.${room}`) ?? ''

export const rememberText = (room: string, text: string) => remember(`text.${room}`, text === '' ? undefined : text)
