/** The contract of every agent. One suite, run on each kind. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Agent, type AgentRequest, type FailureReason, failureReasons } from '../../src/kernel/agent.ts'

/** What the other side does with the next ask. */
export type Cue =
  | { text: string }
  /** In several pieces, with pauses long enough for an abort to fall between them. */
  | { slowText: string }
  | { fail: FailureReason; afterText?: string }

export interface AgentHarness {
  /** An agent whose other side plays the cue when it is asked `prompt`. */
  agent(prompt: string, cue: Cue): Promise<Agent>
  /** How many asks have reached the other side. */
  asked(): Promise<number>
  close(): Promise<void>
}

export interface AgentFacts {
  provider: string
  rehearsal: boolean
}

export function agentContract(title: string, facts: AgentFacts, open: () => Promise<AgentHarness>): void {
  describe(title, () => {
    let harness: AgentHarness
    let prompts = 0
    const nextPrompt = () => `question number ${++prompts}.`

    beforeAll(async () => {
      harness = await open()
    })
    afterAll(() => harness.close())

    it('has a name, and says whether it is scripted', async () => {
      const agent = await harness.agent(nextPrompt(), { text: 'hello' })
      expect(agent).toMatchObject({ provider: facts.provider, rehearsal: facts.rehearsal })
      expect(agent.name).not.toBe('')
    })

    it('answers with the full text and its usage', async () => {
      const { reply } = await call({ text: 'The answer is four.' })
      expect(reply).toMatchObject({ ok: true, text: 'The answer is four.' })
      expect(reply.usage.inputTokens).toBeGreaterThan(0)
      expect(reply.usage.outputTokens).toBeGreaterThan(0)
    })

    it('preserves characters outside the basic plane, and line breaks', async () => {
      const text = 'Grüße 👩‍🚀\n\n```ts\nconst a = "\\n"\n```\n漢字'
      expect((await call({ text })).reply).toMatchObject({ ok: true, text })
    })

    it('streams the text in pieces, with activity', async () => {
      const text = 'one two three four five six seven eight nine ten'
      const { reply, pieces, signs } = await call({ slowText: text })
      expect(reply).toMatchObject({ ok: true, text })
      expect(pieces.join('')).toBe(text)
      expect(pieces.length).toBeGreaterThan(2)
      expect(signs).toBeGreaterThanOrEqual(pieces.length)
    })

    it('answers an ask that has a schema with JSON text', async () => {
      const schema = z.strictObject({ message: z.string(), final: z.boolean().optional() })
      const { reply } = await call({ text: '{"message": "done", "final": true}' }, { schema, kind: 'turn' })
      expect(reply.ok && JSON.parse(reply.text)).toEqual({ message: 'done', final: true })
    })

    it('returns text that violates the schema unchanged: judging it is up to the caller', async () => {
      const schema = z.strictObject({ message: z.string() })
      const { reply } = await call({ text: 'I would rather talk.' }, { schema, kind: 'turn' })
      expect(reply).toMatchObject({ ok: true, text: 'I would rather talk.' })
    })

    it.each(failureReasons)('reports %s as data', async (reason) => {
      const { reply } = await call({ fail: reason })
      expect(reply).toMatchObject({ ok: false, failure: { reason, retryable: reason !== 'refused' }, partialText: '' })
      expect(!reply.ok && reply.failure.message).toMatch(/\w/)
    })

    it('keeps the partial text when the other side breaks off', async () => {
      const text = 'one two three four five six seven eight nine ten'
      const { reply, pieces } = await call({ fail: 'disconnect', afterText: text })
      if (reply.ok) throw new Error('the reply should have been cut')
      expect(reply.failure.reason).toBe('disconnect')
      expect(reply.partialText).not.toBe('')
      expect(text.startsWith(reply.partialText)).toBe(true)
      expect(pieces.join('')).toBe(reply.partialText)
    })

    it('sends nothing if it is already stopped, and rejects with the reason', async () => {
      const prompt = nextPrompt()
      const agent = await harness.agent(prompt, { text: 'never heard' })
      const before = await harness.asked()
      const reason = new Error('stopped before')
      await expect(agent.call(requestFor(prompt), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
      expect(await harness.asked()).toBe(before)
    })

    it('stops in the middle, rejects with the reason and emits nothing afterwards', async () => {
      const prompt = nextPrompt()
      const agent = await harness.agent(prompt, { slowText: 'one two three four five six seven eight nine ten' })
      const controller = new AbortController()
      const reason = new Error('stopped in the middle')
      const pieces: string[] = []
      const onText = (piece: string) => {
        pieces.push(piece)
        controller.abort(reason)
      }
      await expect(agent.call(requestFor(prompt), { signal: controller.signal, onText })).rejects.toBe(reason)
      expect(pieces).toHaveLength(1)
    })

    it('estimates the usage of a call without sending anything', async () => {
      const agent = await harness.agent(nextPrompt(), { text: 'hello' })
      const before = await harness.asked()
      const usage = agent.estimateUsage?.([{ role: 'user', content: 'How many roads must a man walk down?' }], 'Many.')
      expect(usage).toMatchObject({ estimated: true })
      expect(usage?.inputTokens).toBeGreaterThan(usage?.outputTokens ?? 0)
      expect(await harness.asked()).toBe(before)
    })

    async function call(cue: Cue, more: Partial<AgentRequest> = {}) {
      const prompt = nextPrompt()
      const agent = await harness.agent(prompt, cue)
      const pieces: string[] = []
      let signs = 0
      const reply = await agent.call(
        { ...requestFor(prompt), ...more },
        { signal: new AbortController().signal, onText: (piece) => pieces.push(piece), onActivity: () => signs++ },
      )
      return { reply, pieces, signs }
    }

    function requestFor(prompt: string): AgentRequest {
      const messages: AgentRequest['messages'] = [
        { role: 'system', content: 'You are terse.' },
        { role: 'user', content: prompt },
      ]
      return { kind: 'answer', question: { run: 'run', step: prompt, try: 1 }, messages }
    }
  })
}
