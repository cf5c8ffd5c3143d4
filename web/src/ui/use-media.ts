/** Whether a media query holds, as it changes. */
import { useSyncExternalStore } from 'react'

const lists = new Map<string, MediaQueryList>()

export function useMedia(query: string): boolean {
  const list = lists.get(query) ?? matchMedia(query)
  lists.set(query, list)
  return useSyncExternalStore(
    (listener) => {
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => list.matches,
  )
}

/** Rail, list, work and inspector stand side by side from here on. */
export const wideScreen = '(min-width: 1120px)'
/** Below this the rail goes to the bottom, and list and inspector become sheets. */
export const narrowScreen = '(max-width: 759px)'
