/** Handles keys while a component is mounted. */
import { useEffect } from 'react'
import { isTypedInto, keyName } from './keys.ts'

/** What a key does. Returning false leaves the key to the browser. */
export type Keys = Record<string, () => unknown>

export function useKeys(keys: Keys): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return
      const name = keyName(event)
      const action = Object.hasOwn(keys, name) ? keys[name] : undefined
      if (!action || (name.length === 1 && isTypedInto(event.target))) return
      if (action() !== false) event.preventDefault()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  })
}
