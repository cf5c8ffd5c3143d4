/** The text of a reply that is still streaming. */
import { useCallback, useSyncExternalStore } from 'react'
import { live } from './live.ts'

/** Undefined: nothing has come yet. */
export function useDraft(ask: string): string | undefined {
  const subscribe = useCallback((listener: () => void) => live.drafts.subscribe(ask, listener), [ask])
  return useSyncExternalStore(subscribe, () => live.drafts.text(ask))
}
