/** The order of names: by code unit, so that it is the same in every language and on every machine. */
export function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

export function firstByName(names: Iterable<string>): string | undefined {
  return [...names].sort(byCodeUnit)[0]
}
