import { describe, expect, it } from 'vitest'
import { StartOrder } from './start-order.ts'

describe('the order of those who are sent off together', () => {
  it('[IS2] the first to be sent off begins first, also where it looks around for longer', async () => {
    const order = new StartOrder()
    const begun: number[] = []
    for (const run of ['1', '2', '3']) order.enter('loop', run)
    const begin = async (run: string) => {
      await order.waitForEarlier('loop', run)
      begun.push(Number(run))
      order.leave('loop', run)
    }
    const [third, second] = [begin('3'), begin('2')]
    await new Promise((resolve) => setImmediate(resolve))
    expect(begun).toEqual([])
    await Promise.all([begin('1'), second, third])
    expect(begun).toEqual([1, 2, 3])
  })

  it('[IS2] who leaves the line holds nobody up, and who comes back stands at its end', async () => {
    const order = new StartOrder()
    for (const run of ['1', '2', '1']) order.enter('loop', run)
    await order.waitForEarlier('loop', '2')
    order.leave('loop', '2')
    await order.waitForEarlier('loop', '1')
    await order.waitForEarlier('another loop', '1')
  })
})
