/** Who uses this page. Fetched once: it does not change while the page is open. */

import { useLoaded } from '../use-loaded.ts'
import { getMe, type Me } from './team.ts'

let fetched: Promise<Me> | undefined

/** Null until it is known. */
export function useMe(): Me | null {
  const loaded = useLoaded('me', () => {
    fetched ??= getMe()
    fetched.catch(() => {
      fetched = undefined
    })
    return fetched
  })
  return loaded.state === 'ready' ? loaded.value : null
}
