import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { messageStream } from './message-stream.ts'

it('passes over an update that cannot be read, and reads what follows', async () => {
  const stdout = new PassThrough()
  const seen: unknown[] = []
  const { readable } = messageStream(new PassThrough(), stdout, (update) => {
    if (!update.update) throw new TypeError('no update')
    seen.push(update.update)
  })
  const line = (params: object) => `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params })}\n`
  stdout.end(`${line({})}${line({ update: 1 })}${JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} })}\n`)
  const answers: unknown[] = []
  for await (const answer of readable) answers.push(answer)
  expect(seen).toEqual([1])
  expect(answers).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
})
