import { describe, expect, it } from 'vitest'
import type { Node } from '../node.ts'
import { SeenTests } from '../seen-tests.ts'
import { Conversation } from './conversation.ts'

const seenTests = new SeenTests()
const thread = [{ role: 'user' as const, content: 'the plan' }]
/** One token per character. */
const node = {
  deps: { countTokens: (text: string) => text.length },
  caps: { attempts: 5 },
  state: { threads: {}, triedBefore: () => [] },
  workspace: { seenTests },
  input: { build: 'build-1' },
} as unknown as Node
const work = {
  place: 'impl' as const,
  kind: 'implement' as const,
  prompt: 'implement' as const,
  values: { spec: { id: 'inc' } },
  thread,
}
const reply = (text: string) => ({ ok: true as const, reply: {}, text, question: 'Implement it.', tree: null })
const refused = { problems: [{ rule: 'VF4', message: 'a test fails', path: 'test/inc.js' }] }
const refusals = [{ rule: 'VF4', text: 'test/inc.js: a test fails' }]
const past = (attempt: number) => ({ attempt, strategy: `way ${attempt}`, outcome: `outcome ${attempt}` })

describe('the conversation about a task', () => {
  it('[VF8] goes on after a refusal: the agent reads its own reply and only what is new', () => {
    const conversation = new Conversation(node, work)
    expect(conversation.next(1, false)).toMatchObject({ prompt: 'implement', thread })
    conversation.refused({ ...reply('Done.'), thread: 'sha256:kept' }, past(1), refused)
    const next = conversation.next(2, false)
    expect(next).toMatchObject({ prompt: 'follow-up', continues: 'sha256:kept', values: { attempt: 2 } })
    expect(next.thread.map(({ content }) => content)).toEqual(['the plan', 'Implement it.', 'Done.'])
    expect(next.values).toMatchObject({ refusals })
    expect(next.values).not.toHaveProperty('history')
  })

  it('[VF8] starts afresh only when it is too long, with two lines about each attempt', () => {
    const conversation = new Conversation(node, work)
    conversation.refused(reply('short'), past(1), refused)
    conversation.refused({ ...reply('x'.repeat(60_001)), thread: 'sha256:long' }, past(2), refused)
    const next = conversation.next(3, false)
    expect(next).toMatchObject({ prompt: 'implement', thread, values: { refusals } })
    expect(next).not.toHaveProperty('continues')
    expect(next.values.history).toBe('Attempt 1: way 1\n  → outcome 1\nAttempt 2: way 2\n  → outcome 2')
  })

  it('[VF8] puts the task again as a whole where the agent said nothing', () => {
    const conversation = new Conversation(node, work)
    conversation.refused({ ok: false, problem: { rule: 'GR4', message: 'it failed' } }, past(1), refused)
    expect(conversation.next(2, false)).toMatchObject({ prompt: 'implement', thread })
  })

  it('[VF4] tells of each unreliable test once', () => {
    const conversation = new Conversation(node, work)
    const test = { name: 'flickers', file: 'a.test.js' }
    seenTests.add('build-1', 'tree', [{ ...test, outcome: 'passed' }])
    seenTests.add('build-1', 'tree', [{ ...test, outcome: 'failed' }])
    expect(conversation.next(1, false).values.unreliable).toEqual(['"flickers" (a.test.js)'])
    conversation.refused(reply('Done.'), past(1), refused)
    expect(conversation.next(2, false).values.unreliable).toEqual([])
    seenTests.forget('build-1')
  })

  it("[VF8] begins with a person's answer and what was tried before, and says them once", () => {
    const state = { threads: {}, triedBefore: () => [past(1), past(2)], answered: 'The answer: "retry"' }
    const conversation = new Conversation({ ...node, state } as unknown as Node, work)
    const first = conversation.next(1, false).values
    expect(first).toMatchObject({
      answered: 'The answer: "retry"',
      history: expect.stringMatching(/^Attempt 1: way 1\n/),
    })
    conversation.refused(reply('Done.'), past(1), refused)
    const second = conversation.next(2, false).values
    expect(second).not.toHaveProperty('history')
    expect(second).not.toHaveProperty('answered')
  })
})
