/** The script that plays if no agent is configured: enough to show every feature, and how to get real answers. */
import { parseRehearsalScript } from './script.ts'

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
- when: { ask: phase, phase: "3", round: 1 }
  repeat: true
  reply: { scores: { value: 2, scope: 1, acceptance: 2, constraints: 2, risk: 2 }, reasons: { scope: "This is a rehearsal; the smallest useful version is guessed." } }
- when: { ask: phase, phase: "3" }
  repeat: true
  reply: { scores: { value: 2, scope: 2, acceptance: 2, constraints: 2, risk: 2 } }
- when: { ask: phase, phase: "9" }
  repeat: true
  reply:
    summary: "A rehearsed plan: two issues, to show what real ones look like."
    issues:
      - { number: 1, title: Lay the ground, body: "Rehearsed.", acceptance_criteria: [{ id: ground, text: The interface is there and its tests fail }], depends_on: [], size: small, business_value: 0.5, risk: 0.1 }
      - { number: 2, title: Build on it, body: "Rehearsed.", acceptance_criteria: [{ id: works, text: The tests pass }], depends_on: [1], size: medium, business_value: 0.9, risk: 0.3 }
- when: { ask: plan-alone }
  repeat: true
  reply:
    design: "A rehearsed design: no model was asked."
    issues:
      - { number: 1, title: Do it in one step, body: "Rehearsed.", acceptance_criteria: [{ id: works, text: The tests pass }], depends_on: [], size: medium }
- when: { ask: phase, contains: "Reply in this form: a synthesis" }
  repeat: true
  reply:
    summary: "A rehearsed synthesis: no model was asked."
    artefact: |
      ## Approach

      This is a rehearsal. A real plan names the parts, their borders and the order of work.

      ## Diagram

      \`\`\`mermaid
      graph LR
        request --> design --> tests --> issues
      \`\`\`
    key_decisions:
      - { id: none, decision: "Tests come before code", rationale: "rehearsed", confidence: HIGH }
    risks_identified:
      - { id: none, risk: "Nothing here was thought through", severity: LOW, mitigation: "connect real agents with convene init" }
- when: { ask: phase, agent: claude }
  repeat: true
  reply: { output: "A rehearsed view: start with the smallest slice and its tests. I agree with doing the interface first.", positions: [{ question: "Where to start", choice: "the smallest slice", confidence: 0.8 }] }
- when: { ask: phase }
  repeat: true
  reply: { output: "A rehearsed view as well: I concur, the smallest slice comes first.", positions: [{ question: "Where to start", choice: "the smallest slice", confidence: 0.7 }] }
- when: { ask: review, contains: "Reply in this form: a vote" }
  repeat: true
  reply: { points: 9, out_of: 10, reasons: "rehearsed" }
- when: { ask: review, contains: "Reply in this form: contradictions" }
  repeat: true
  reply: { contradictions: [] }
- when: { ask: review }
  repeat: true
  reply: { findings: [{ severity: MINOR, confidence: 85, title: "A rehearsed finding", detail: "to show where findings go" }] }
- when: { ask: defend, contains: "Reply in this form: weighed findings" }
  repeat: true
  reply: { findings: [] }
- when: { ask: defend }
  repeat: true
  reply: { output: "A rehearsed defence: conceded, and noted for the tasks.", positions: [] }
- when: { ask: agent-message }
  repeat: true
  text: This is a rehearsal; noted.
- when: { ask: answer }
  repeat: true
  stream_ms: 600
  text: >-
    This is a rehearsal: no model was asked. I play a script, so that you can see how a message travels through the
    room. To get real answers, set a key (for example \`export ANTHROPIC_API_KEY=…\`), run \`convene init\` in your
    project, and ask again.
`

/** Parsed on first use: most commands have configured agents. */
export const rehearsalWithoutAgents = () => parseRehearsalScript(lines, 'built-in rehearsal')
