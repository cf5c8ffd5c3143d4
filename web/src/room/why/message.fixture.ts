/** Messages as tests need them. */
import type { Ask, Decision, Message } from '../conversation/conversation-types.ts'

export function aDecision(given: Partial<Decision> = {}): Decision {
  return {
    message_id: '1',
    mode: 'parallel',
    rule: 'parallel',
    reason: 'a reason',
    winner: 'gpt',
    runnerUp: 'claude',
    responders: ['gpt', 'claude'],
    overlap: 0.12,
    proposals: {
      gpt: { angle: 'durability', confidence: 0.82, covers: ['queues'] },
      claude: { angle: 'customers', confidence: 0.78, covers: ['declines'] },
    },
    missing: [],
    limits: { gap: 0.3, overlap: 0.5, high: 0.5, low: 0.3, synthesis: 0.7, max_responders: 3 },
    coordination: { calls: 2, tokens: 300, usd: 0.0006, milliseconds: 400 },
    ...given,
  }
}

export function aMessage(given: Partial<Message> = {}): Message {
  return {
    id: '1',
    by: undefined,
    run: 'message-1',
    text: 'Which queue?',
    mode: 'coordinate',
    target: 'router',
    override: undefined,
    attachments: [],
    at: '2026-03-01T10:00:00.000Z',
    session: undefined,
    asks: [],
    decision: undefined,
    waiting: [],
    answers: [],
    passed: [],
    peers: undefined,
    roundShown: false,
    over: false,
    stopped: false,
    ...given,
  }
}

export function anAsk(kind: string, agent: string, usd: number | null, milliseconds = 1000): Ask {
  const usage = { inputTokens: 80, outputTokens: 20, usd }
  const at = '2026-03-01T10:00:00.000Z'
  return {
    ask: `${kind}/${agent}`,
    kind,
    agent,
    owner: agent,
    tools: [],
    rehearsal: false,
    at,
    finished: { usage, tries: 1, milliseconds },
  }
}
