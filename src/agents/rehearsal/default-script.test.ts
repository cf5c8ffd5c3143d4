import { describe, expect, it } from 'vitest'
import type { LineBindings } from '../../kernel/stores/line-bindings.ts'
import { decideTurn } from '../../rules/turns/turn.ts'
import { rehearsalWithoutAgents } from './default-script.ts'
import { createRehearsalAgent } from './rehearsal.ts'

const bindings: LineBindings = { bind: async (_file, _question, choose) => choose(new Set()) }

/** Who speaks in which round, and why the session ends. */
async function collaborate(goal: string, first: string, max_rounds = 6) {
  const session = { participants: ['claude', 'gpt'], max_rounds }
  const turns: string[] = []
  let speaker = first
  for (let round = 1; ; round += 1) {
    turns.push(speaker)
    const agent = createRehearsalAgent({
      name: speaker,
      script: {
        ...rehearsalWithoutAgents(),
        lines: rehearsalWithoutAgents().lines.map((line) => ({ ...line, streamMs: 0 })),
      },
      bindings,
    })
    const reply = await agent.call(
      {
        kind: 'turn',
        question: { run: 'r', step: String(round), try: 1 },
        messages: [{ role: 'user', content: goal }],
        facts: { round },
      },
      { signal: new AbortController().signal },
    )
    if (!reply.ok) throw new Error(reply.failure.message)
    const { next } = decideTurn({ ...session, round }, speaker, reply.text)
    if (next.kind === 'end') return { turns, reason: next.reason }
    speaker = next.speaker
  }
}

describe('the default rehearsal script', () => {
  it('takes four turns and ends with the agent that did not start', async () => {
    const tale = 'Write a 2\u2011paragraph fairy tale—Claude drafts, GPT edits, alternate until done (≤4 rounds).'
    expect(await collaborate(tale, 'claude', 4)).toEqual({ turns: ['claude', 'gpt', 'claude', 'gpt'], reason: 'final' })
    expect(await collaborate('Plan a hike', 'gpt')).toEqual({
      turns: ['gpt', 'claude', 'gpt', 'claude'],
      reason: 'final',
    })
  })

  it('reaches a lower cap, and stops at once if the goal asks for one sentence', async () => {
    expect(await collaborate('Plan a hike', 'claude', 2)).toEqual({ turns: ['claude', 'gpt'], reason: 'cap' })
    expect(await collaborate('Summarize this in 1 sentence, then stop.', 'gpt')).toEqual({
      turns: ['gpt'],
      reason: 'final',
    })
  })
})
