/** What this browser remembers between visits. A browser without storage only loses convenience. */
export function recall<Value>(name: string): Value | undefined {
  try {
    const text = localStorage.getItem(`convene.${name}`)
    return text === null ? undefined : (JSON.parse(text) as Value)
  } catch {
    return undefined
  }
}

export function remember<Value>(name: string, value: Value | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(`convene.${name}`)
    else localStorage.setItem(`convene.${name}`, JSON.stringify(value))
  } catch {
    // Full or forbidden.
  }
}
