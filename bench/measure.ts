/** Statistics over repeated measurements, and their formatting. */

export function median(values: number[]): number {
  return quantile(values, 0.5)
}

/** The quantile of the values, with linear interpolation. */
export function quantile(values: number[], share: number): number {
  if (values.length === 0) throw new Error('nothing was measured')
  const sorted = Float64Array.from(values).sort()
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)]!
  const above = sorted[Math.ceil(place)]!
  return below + (above - below) * (place - Math.floor(place))
}

/**
 * Calls every contender once per round, each round starting with another one, so that other load on the machine
 * affects all of them alike.
 */
export async function interleave<Contender>(
  contenders: Contender[],
  rounds: number,
  measure: (contender: Contender, round: number) => void | Promise<void>,
): Promise<void> {
  for (let round = 0; round < rounds; round++)
    for (let turn = 0; turn < contenders.length; turn++)
      await measure(contenders[(round + turn) % contenders.length]!, round)
}

/** The ratio of two measurements of the same round. */
export function ratios(ones: number[], others: number[]): number[] {
  if (ones.length !== others.length) throw new Error('a ratio needs both measurements of each round')
  return ones.map((one, round) => one / others[round]!)
}

export const medianRatio = (ones: number[], others: number[]) => median(ratios(ones, others))

export async function millisecondsOf(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export const times = (ratio: number) => `${ratio.toFixed(ratio < 10 ? 2 : 1)}×`
export const microseconds = (milliseconds: number) => `${whole(milliseconds * 1000)} µs`
export const whole = (value: number) => Math.round(value).toLocaleString('en-US')
export const megabytes = (bytes: number) => `${whole(bytes / 1_000_000)} MB`
