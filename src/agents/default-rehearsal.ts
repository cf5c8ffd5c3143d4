/** What is played where no agent is configured: enough to see everything move, and how to get real answers. */
import { parseRehearsalScript } from './rehearsal-script.ts'

const lines = `
- when: { ask: micro-proposal, agent: claude }
  repeat: true
  reply: { angle: what this room does with a message, confidence: 0.8, covers: [rehearsal, room] }
- when: { ask: micro-proposal }
  repeat: true
  reply: { angle: how to get real answers, confidence: 0.7, covers: [setup, keys] }
- when: { ask: turn, contains: 1 sentence }
  repeat: true
  stream_ms: 300
  reply: { message: "This is a rehearsal, in one sentence, and it is done.", final: true }
- when: { ask: turn, round: 4 }
  repeat: true
  stream_ms: 300
  reply: { message: "This is a rehearsal too, and after four turns it is done.", final: true }
- when: { ask: turn, agent: claude }
  repeat: true
  stream_ms: 500
  reply: { message: "This is a rehearsal: I play a script. I hand over, so that you can see a hand-off.", handoff: { to: gpt, task: take the next turn } }
- when: { ask: turn }
  repeat: true
  stream_ms: 400
  reply: { message: "I rehearse as well, and hand back.", handoff: { to: claude, task: take the next turn } }
- when: { ask: agent-message }
  repeat: true
  text: This is a rehearsal; noted.
- when: { ask: answer }
  repeat: true
  stream_ms: 600
  text: >-
    This is a rehearsal: no model was asked. I play a script, so that you can see how a message travels through the
    room. To get real answers, run \`convene init\` in your project, set the key it names (for example
    \`export ANTHROPIC_API_KEY=…\`), and ask again.
`

export const rehearsalWithoutAgents = parseRehearsalScript(lines, 'built-in rehearsal')
