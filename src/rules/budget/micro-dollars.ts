/** Money as whole millionths of a dollar, so that sums are exact in any order. */

/** A cost, rounded up, so that very cheap calls do not add up to zero. */
export function microDollars(usd: number): number {
  return Math.ceil(millionths(usd))
}

/** A limit, rounded down, so that it is never wider than written. */
export function microDollarLimit(usd: number): number {
  return Math.floor(millionths(usd))
}

export function dollars(microDollars: number): number {
  return microDollars / 1_000_000
}

/** 2.007 × 1,000,000 is 2007000.0000000002 in floats: cuts off such noise. */
function millionths(usd: number): number {
  if (!(usd > 0)) return 0
  return Math.min(Number((usd * 1_000_000).toFixed(3)), Number.MAX_SAFE_INTEGER)
}
