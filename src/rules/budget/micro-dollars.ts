/** Money as whole millionths of a dollar, so that sums are exact whatever their order. */

/** What a call cost. Rounded up: a million calls below a millionth each must not add up to nothing. */
export function microDollars(usd: number): number {
  return Math.ceil(millionths(usd))
}

/** What may be spent. Rounded down: a limit is never wider than it was written. */
export function microDollarLimit(usd: number): number {
  return Math.floor(millionths(usd))
}

export function dollars(microDollars: number): number {
  return microDollars / 1_000_000
}

/** 2.007 × 1,000,000 is 2007000.0000000002 in floats: noise below a thousandth of a millionth is cut off. */
function millionths(usd: number): number {
  if (!(usd > 0)) return 0
  return Math.min(Number((usd * 1_000_000).toFixed(3)), Number.MAX_SAFE_INTEGER)
}
