/** A process with many waiting runs: starts or recovers them, and reports their memory use. */
import type { Run } from '../src/kernel/engine.ts'
import { openConvene } from './open-convene.ts'

export interface Weighed {
  runs: number
  rssGrowth: number
  heapGrowth: number
  peakGrowth: number
  milliseconds: number
  /** How many of a hundred signalled runs ended as expected. */
  answered: number
}

const [phase, folder, count] = process.argv.slice(2) as ['start' | 'recover', string, string]
const runs = Number(count)
let waiting = 0
let allWait = () => {}

const workflow = {
  name: 'waits',
  version: 1,
  async run(run: Run, input: { question: string }) {
    const asked = await run.step('ask', () => ({ question: input.question }))
    if (++waiting === runs) allWait()
    return { asked, answer: await run.receive<string>('answer') }
  },
}

const { engine } = openConvene(folder)
engine.register(workflow)
const before = weigh()
const begun = performance.now()
await new Promise<void>((resolve) => {
  allWait = resolve
  if (phase === 'recover') engine.recover()
  else
    for (let index = 0; index < runs; index++)
      engine.start(workflow, { question: `Is ${index} right?` }, { id: `run-${index}` })
})
// Lets the last one reach its wait.
await new Promise((resolve) => setImmediate(resolve))
const milliseconds = performance.now() - begun
const after = weigh()
const growth = (key: 'rss' | 'heapUsed' | 'peak') => after[key] - before[key]
process.send!({
  runs: waiting,
  rssGrowth: growth('rss'),
  heapGrowth: growth('heapUsed'),
  peakGrowth: growth('peak'),
  milliseconds,
  answered: phase === 'recover' ? await answerSome() : 0,
} satisfies Weighed)
// The parent kills this process, as a crash would.
setInterval(() => {}, 1000)

function weigh() {
  globalThis.gc!()
  const { rss, heapUsed } = process.memoryUsage()
  return { rss, heapUsed, peak: process.resourceUsage().maxRSS * 1024 }
}

async function answerSome(): Promise<number> {
  const ids = Array.from({ length: 100 }, (_, index) => `run-${index * Math.floor(runs / 100)}`)
  const results = await Promise.all(
    ids.map(async (id) => {
      await engine.send(id, 'answer', id)
      return (await engine.result<{ answer: string }>(id)).answer === id
    }),
  )
  return results.filter(Boolean).length
}
