/** Tries many crashes, says how far it is, and lists the failures together. */
import { expect } from 'vitest'
import { concurrently } from '../crashing.ts'

/** `crash` returns how often it killed. Returns the sum. */
export async function crashAll<Series>(
  series: Series[],
  width: number,
  crash: (series: Series) => Promise<number>,
): Promise<number> {
  const failures: string[] = []
  let killed = 0
  let tried = 0
  await concurrently(series, width, async (one) => {
    try {
      const times = await crash(one)
      killed += times
    } catch (error) {
      failures.push((error as Error).message)
    }
    tried++
    if (tried % 10 === 0 || tried === series.length) tell(tried, series.length, killed, failures.length)
  })
  expect(failures).toEqual([])
  return killed
}

function tell(tried: number, all: number, killed: number, failed: number): void {
  const { currentTestName = '' } = expect.getState()
  process.stderr.write(`${currentTestName}: ${tried} of ${all}, ${killed} kills, ${failed} failed\n`)
}
