/** The project's files that match the path being typed. */
import { useEffect, useState } from 'react'
import { findFiles } from '../../data/calls/rooms.ts'

/** Shorter than a person notices, longer than the time between two keys. */
const pauseMs = 80

/** Keeps the last result while the next one is on its way, so that the list does not flicker. */
export function useFoundFiles(typed: string | null): readonly string[] {
  const [found, setFound] = useState<{ typed: string; files: string[] }>({ typed: '', files: [] })
  useEffect(() => {
    if (typed === null) return
    let isCurrent = true
    const timer = setTimeout(() => {
      findFiles(typed).then(
        (files) => isCurrent && setFound({ typed, files }),
        () => isCurrent && setFound({ typed, files: [] }),
      )
    }, pauseMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [typed])
  if (typed === null) return []
  return found.files.filter((path) => path.toLowerCase().includes(typed.toLowerCase()))
}
