/** What is played where no agent is configured: enough to see everything move, and how to get real answers. */
import { parseRehearsalScript } from './rehearsal-script.ts'

const lines = `
- when: { ask: answer }
  repeat: true
  stream_ms: 600
  text: >-
    This is a rehearsal: no model was asked. I play a script, so that you can see how a message travels through the
    room. To get real answers, run \`convene init\` in your project, set the key it names (for example
    \`export ANTHROPIC_API_KEY=…\`), and ask again.
`

export const rehearsalWithoutAgents = parseRehearsalScript(lines, 'built-in rehearsal')
