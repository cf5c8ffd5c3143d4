/** TR6: many commands at once without a server. Each is answered, and each model request is paid once. */
import { describe, expect, it } from 'vitest'
import { type Finished, start } from '../support/convene.ts'
import { type CountedModel, countedModel } from './counted-model.ts'

const ask = ({ folder, env }: CountedModel, n: number) =>
  start(['ask', `This is question ${n}`, '--to', 'gpt', '--room', `room-${n}`], { cwd: folder, env })

/** A failure shows what the command said. */
function expectAnswers(ended: Finished[], numbers: number[]): void {
  expect(ended.map(({ code, stdout, stderr }) => (code === 0 ? stdout : stderr))).toEqual(
    numbers.map((n) => `Answer to question ${n}.\n`),
  )
}

describe('a crowd of commands', () => {
  it('[TR6] fifty at once: all are answered, each with one request', async () => {
    const model = await countedModel()
    const numbers = Array.from({ length: 50 }, (_, index) => index + 1)
    const ended = await Promise.all(numbers.map((n) => ask(model, n).finished))
    expectAnswers(ended, numbers)
    expect([...model.requests].filter(([, count]) => count !== 1)).toEqual([])
    expect(model.requests.size).toBe(50)
  })

  it('[TR6] the owner is killed while twenty wait: the next owner answers all, finished calls are not repeated', async () => {
    const model = await countedModel({ held: true })
    const owner = ask(model, 100)
    await expect.poll(() => model.requests.get('question 100')).toBe(1)
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1)
    const waiting = numbers.map((n) => ask(model, n))
    await expect.poll(() => model.requests.size, { timeout: 240_000 }).toBe(21)
    for (const n of [1, 2, 3]) model.answerOne(`question ${n}`)
    await Promise.all(waiting.slice(0, 3).map(({ finished }) => finished))
    owner.child.kill('SIGKILL')
    await owner.finished
    model.release()
    const ended = await Promise.all(waiting.map(({ finished }) => finished))
    expectAnswers(ended, numbers)
    expect(numbers.slice(0, 3).map((n) => model.requests.get(`question ${n}`))).toEqual([1, 1, 1])
    // A call in flight when its process is killed is made once more, and no more than once.
    expect(numbers.slice(3).every((n) => model.requests.get(`question ${n}`)! <= 2)).toBe(true)
  })
})
