/** Who uses this page. Fetched once: it does not change while the page is open. */
import { getMe, type Me } from './calls/team.ts'
import { useLoaded } from './use-loaded.ts'

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
