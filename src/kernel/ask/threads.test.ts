import { describe, expect, it } from 'vitest'
import type { AgentMessage } from '../agent.ts'
import { keepThread, readThread } from './threads.ts'

const messages: AgentMessage[] = [
  { role: 'system', content: 'You build.' },
  { role: 'user', content: 'Write the tests.' },
  { role: 'assistant', content: '[write a.test.ts]', native: { role: 'assistant', content: [{ type: 'tool-call' }] } },
  { role: 'tool', content: 'written', native: { role: 'tool', content: [] } },
  { role: 'assistant', content: '{"TestsReady": {}}' },
]

function payloads() {
  const stored = new Map<string, Uint8Array>()
  return {
    putPayload: async (content: unknown) => {
      stored.set('sha256:1', Buffer.from(content as string))
      return 'sha256:1'
    },
    readPayload: async (ref: string) => stored.get(ref)!,
  }
}

describe('a kept thread', () => {
  it('[AS4] comes back as it was, with tool calls and results', async () => {
    const store = payloads()
    expect(await readThread(store, await keepThread(store, messages), 1000)).toEqual(messages)
  })

  it('[AS4] is not continued beyond the token limit', async () => {
    const store = payloads()
    const ref = await keepThread(store, [...messages, { role: 'user', content: 'x'.repeat(4000) }])
    expect(await readThread(store, ref, 1000)).toBeNull()
    expect(await readThread(store, ref, 2000)).toHaveLength(6)
  })
})
