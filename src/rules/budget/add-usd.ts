/** Adds two prices. An unknown price (null) makes the sum unknown: a partial sum must not look like a total. */
export function addUsd(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other
}
