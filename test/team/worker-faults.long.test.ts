/** Two hundred runs in flight on workers in processes of their own, while something happens to them or to Postgres. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startChains } from './chain.ts'
import { startProxy } from './postgres-proxy.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'

let server: RunningPostgres

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server?.stop())

const stepMs = 400

describe('three workers with 200 runs in flight', () => {
  it('[TM1] lose two of them: the third ends all runs, and repeats no finished step', async () => {
    const chains = await startChains({ url: server.url })
    const workers = await chains.startWorkers(3)
    chains.replaceFenced()
    await chains.begin(stepMs)
    for (const [index, worker] of workers.slice(0, 2).entries()) {
      await expect.poll(() => chains.lines().length).toBeGreaterThan(300 * (index + 1))
      await expect.poll(() => chains.held(worker)).toBeGreaterThan(0)
      worker.process.kill('SIGKILL')
    }
    await chains.expectAllDoneOnce()
  })

  it('[TM1] have one paused for 30 seconds: on waking it begins no step, and changes neither log nor journal', async () => {
    const chains = await startChains({ url: server.url })
    const [paused] = await chains.startWorkers(3)
    await chains.begin(stepMs)
    await expect.poll(() => chains.held(paused!)).toBeGreaterThan(0)
    // Its first steps have all begun: none is stopped between being allowed to begin and saying so.
    const begunBy = (number: number) => chains.lines().filter(({ worker }) => worker === number).length
    await expect.poll(async () => begunBy(paused!.number) - (await chains.held(paused!))).toBeGreaterThan(0)
    paused!.process.kill('SIGSTOP')
    const woken = pause(30_000)
    chains.replaceFenced()
    await chains.expectAllDoneOnce()
    await woken
    const begun = () => chains.lines().filter(({ event }) => event === 'begin')
    const before = begun()
    paused!.process.kill('SIGCONT')
    expect(await paused!.ended).toBe(1)
    expect(begun()).toEqual(before)
    await chains.expectAllDoneOnce()
  })

  it('[TR10] outlive a restart of Postgres', async () => {
    const own = await startPostgres()
    onTestFinished(() => own.stop())
    const chains = await startChains({ url: own.url })
    const workers = await chains.startWorkers(3)
    chains.replaceFenced()
    await chains.begin(stepMs)
    for (const more of [200, 800]) {
      await expect.poll(() => chains.lines().length).toBeGreaterThan(more)
      await own.restart()
    }
    await chains.expectAllDoneOnce()
    expect(workers.every(({ process }) => process.signalCode === null)).toBe(true)
  })

  it('[TR10] outlive ten seconds without a way to Postgres', async () => {
    const { proxy, url } = await throughProxy()
    const chains = await startChains({ url, direct: server.url })
    await chains.startWorkers(3)
    chains.replaceFenced()
    await chains.begin(stepMs)
    await expect.poll(() => chains.lines().length).toBeGreaterThan(300)
    const heal = proxy.cut()
    await pause(10_000)
    const during = chains.lines().length
    heal()
    await chains.expectAllDoneOnce()
    expect(chains.lines().length).toBeGreaterThan(during)
  })

  it('[TM1] have one cut off from Postgres for ten seconds: the others end its runs, and it changes nothing', async () => {
    const { proxy, url } = await throughProxy()
    const chains = await startChains({ url: server.url })
    const [cutOff] = [await chains.startWorker(url), await chains.startWorker(), await chains.startWorker()]
    await chains.begin(stepMs)
    await expect.poll(() => chains.held(cutOff)).toBeGreaterThan(0)
    const heal = proxy.cut()
    await expect.poll(() => chains.held(cutOff)).toBe(0)
    chains.replaceFenced()
    await chains.expectAllDoneOnce()
    const before = chains.lines().length
    heal()
    expect(await cutOff.ended).toBe(1)
    expect(chains.lines().length).toBe(before)
  })
})

async function throughProxy() {
  const proxy = await startProxy(server.port, { random: Math.random, lost: 0, repeated: 0, delayMs: 0 })
  onTestFinished(() => proxy.close())
  const url = new URL(server.url)
  url.port = String(proxy.port)
  return { proxy, url: url.href }
}
