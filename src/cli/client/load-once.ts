/** Loads something with its first use. A load that failed is tried again with the next. */
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
