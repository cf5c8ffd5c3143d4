/** An observable value: the only kind of state outside of components. */
import { useSyncExternalStore } from 'react'

export interface Watched<Value> {
  get(): Value
  subscribe(listener: () => void): () => void
}

export interface Settable<Value> extends Watched<Value> {
  set(value: Value): void
}

export function watched<Value>(initial: Value): Settable<Value> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useWatched<Value>(source: Watched<Value>): Value {
  return useSyncExternalStore(source.subscribe, source.get)
}
