/** Loads something on first use. Retries a failed load on the next use. */
export function loadOnce<Value>(load: () => Promise<Value>): {
  get(): Promise<Value>
  /** Undefined if nothing was loaded. */
  loaded(): Promise<Value | undefined>
} {
  let loading: Promise<Value> | undefined
  return {
    get() {
      loading ??= load().catch((error) => {
        loading = undefined
        throw error
      })
      return loading
    },
    loaded: async () => loading?.catch(() => undefined),
  }
}
