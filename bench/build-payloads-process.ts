/**
 * Many large outputs, in a separate process: `build-payloads-process.ts <way> <count> <bytes> <folder>` prints JSON.
 * `by reference` stores them as evidence does and reads them back in pieces; `in memory` reads each as a whole and
 * holds it.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Commands } from '../src/workspace/commands/command.ts'
import { createTestRunner } from '../src/workspace/test-results/test-runner.ts'
import { openConvene } from './open-convene.ts'

export interface Weight {
  /** Bytes beyond what the process had before the first output. */
  rss: number
  peak: number
  heap: number
  bytes: number
  milliseconds: number
}

const [way, countText, bytesText, folder] = process.argv.slice(2) as [string, string, string, string]
const [count, bytes] = [Number(countText), Number(bytesText)]
const warmUp = 10
const pieceBytes = 64 * 1024
mkdirSync(folder, { recursive: true })
writeFileSync(
  join(folder, 'run-tests.sh'),
  `echo 'TAP version 13'\necho 'ok 1 - it works'\nhead -c ${Math.floor((bytes * 3) / 4)} /dev/urandom | base64 -w 76 | sed 's/^/# /'\necho 1..1\n`,
)
const { store, close } = openConvene(folder)
const commands = new Commands({ sandbox: 'off', env: process.env, allowEnv: [] })
const tests = createTestRunner(commands, { test: 'sh run-tests.sh', timeoutMs: 60_000 })
const held: unknown[] = []

// Warm-up: loads the code and lets the young generation reach its size.
for (let number = 0; number < warmUp; number++) await one()
held.length = 0
const before = weigh()
let heap = 0
const watch = setInterval(() => {
  const { heapUsed, external } = process.memoryUsage()
  heap = Math.max(heap, heapUsed + external)
}, 5)
const begun = performance.now()
let read = 0
for (let number = 0; number < count; number++) read += await one()
const milliseconds = performance.now() - begun
clearInterval(watch)
const after = weigh()
await close()
console.log(
  JSON.stringify({
    rss: after.rss - before.rss,
    peak: after.peak - before.peak,
    heap: Math.max(heap, after.heap) - before.heap,
    bytes: read,
    milliseconds,
  } satisfies Weight),
)
process.exit(0)

/** Returns how many bytes were read back. */
async function one(): Promise<number> {
  const ran = await tests.run({ folder })
  if (ran.counts.passed !== 1) throw new Error(`the tests failed: ${ran.tail}`)
  if (way === 'in memory') {
    const text = await ran.output.text()
    held.push(text)
    await ran.output.remove()
    return text.length
  }
  const ref = await store.putPayload(ran.output.stream())
  const total = ran.output.bytes
  await ran.output.remove()
  let sum = 0
  for (let start = 0; start < total; start += pieceBytes)
    sum += (await store.readPayload(ref, { start, end: start + pieceBytes })).length
  return sum
}

function weigh() {
  globalThis.gc!()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss, heap: heapUsed + external, peak: process.resourceUsage().maxRSS * 1024 }
}
