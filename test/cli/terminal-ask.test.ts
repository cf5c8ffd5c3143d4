/** `convene ask` on a terminal: streamed words, one agent at a time. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rehearsalProject, temporaryFolder } from '../support/convene.ts'
import { openTerminal } from '../support/terminal.ts'

const proposals = `
- when: { ask: micro-proposal, agent: gpt }
  repeat: true
  reply: { angle: schema and indexes, confidence: 0.85, covers: [storage] }
- when: { ask: micro-proposal, agent: claude }
  repeat: true
  reply: { angle: delivery, confidence: 0.8, covers: [retries] }
`

describe('convene ask on a terminal', () => {
  it('does not mix the replies of two agents that stream at once', async () => {
    const script = `${proposals}
- when: { ask: answer, agent: gpt }
  stream_ms: 400
  text: one two three four five six seven eight nine ten
- when: { ask: answer, agent: claude }
  stream_ms: 400
  text: uno due tre quattro cinque sei sette otto nove dieci
`
    const terminal = openTerminal(['ask', 'Which queue?'], { cwd: temporaryFolder(rehearsalProject(script)) })
    expect(await terminal.finished).toBe(0)
    expect(terminal.screen()).toMatch(/PARALLEL: gpt and claude · overlap 0\.00 · 2 proposals, \d+\.\d s\n/)
    expect(terminal.screen()).toContain(
      '\n\ngpt · rehearsal\none two three four five six seven eight nine ten\n\nclaude · rehearsal\nuno due tre quattro cinque sei sette otto nove dieci\n',
    )
  })

  it('says who is asked and who has proposed while it waits for the rest', async () => {
    const script = `
- when: { ask: micro-proposal, agent: gpt }
  reply: { angle: schema, confidence: 0.85, covers: [storage], solo_sufficient: true }
- when: { ask: micro-proposal, agent: claude }
  after_file: go
  reply: { angle: delivery, confidence: 0.2, covers: [retries] }
- when: { ask: answer, agent: gpt }
  text: Postgres.
`
    const cwd = temporaryFolder(rehearsalProject(script, 'room: { proposal_seconds: 600 }\n'))
    const terminal = openTerminal(['ask', 'Which queue fits?'], { cwd })
    await terminal.shows('asking 2 agents who should answer · gpt has proposed')
    writeFileSync(join(cwd, 'go'), '')
    expect(await terminal.finished).toBe(0)
    expect(terminal.screen()).not.toContain('asking 2 agents')
    expect(terminal.screen()).toContain('Postgres.')
  })

  it('shows hand-offs, rounds, warnings and how a session ended', async () => {
    const script = `
- when: { ask: turn, agent: gpt, round: 1 }
  reply: { message: A draft., handoff: { to: claude, task: edit it } }
- when: { ask: turn, agent: claude, round: 2 }
  text: no JSON at all
`
    const folder = temporaryFolder(rehearsalProject(script))
    const terminal = openTerminal(['ask', 'Write', '--mode', 'collaborate', '--max-rounds', '4'], { cwd: folder })
    expect(await terminal.finished).toBe(0)
    expect(terminal.screen()).toContain(
      [
        'COLLABORATION: gpt and claude · up to 4 rounds · gpt begins',
        '',
        'gpt · round 1 of 4 · rehearsal',
        'A draft.',
        '→ claude: edit it',
        '',
        'claude · round 2 of 4 · rehearsal',
        'no JSON at all',
      ].join('\n'),
    )
    expect(terminal.screen()).toMatch(/warning: claude's reply is malformed .*\nended: malformed · .* · round 2 of 4\n/)
  })

  it('shows who waits in a synthesis, and prints the synthesis second', async () => {
    const script = `
- when: { ask: micro-proposal, agent: gpt }
  reply: { angle: retry design, confidence: 0.85, covers: [retries] }
- when: { ask: micro-proposal, agent: claude }
  reply: { angle: retry design, confidence: 0.8, covers: [retries], builds_on_other: true }
- when: { ask: answer, agent: gpt }
  after_ms: 1000
  text: First.
- when: { ask: answer, agent: claude }
  text: Then.
`
    const terminal = openTerminal(['ask', 'Design a retry'], { cwd: temporaryFolder(rehearsalProject(script)) })
    expect(await terminal.finished).toBe(0)
    expect(terminal.screen()).toMatch(
      /SYNTHESIS: gpt, then claude · overlap 1\.00 · .*\nclaude waits for gpt\n\ngpt · rehearsal\nFirst\.\n\nclaude · rehearsal\nThen\.\n/,
    )
  })

  it('[RD13] shows a pass as a line, and nothing of it as an answer', async () => {
    const script = `
- when: { ask: micro-proposal }
  repeat: true
  reply: { angle: retry design, confidence: 0.85, covers: [retries], solo_sufficient: false }
- when: { ask: answer, agent: claude }
  text: First.
- when: { ask: answer, agent: gpt }
  stream_ms: 200
  text: PASS
`
    const terminal = openTerminal(['ask', 'Design a retry'], { cwd: temporaryFolder(rehearsalProject(script)) })
    expect(await terminal.finished).toBe(0)
    expect(terminal.screen()).toMatch(/claude · rehearsal\nFirst\.\n+gpt had nothing to add\n/)
    expect(terminal.screen()).not.toContain('PASS')
  })

  it('shows only the answer of a single call, without control characters', async () => {
    const script = '- when: { ask: answer }\n  text: "before \\e]0;title\\a\\e[2J after"'
    const folder = temporaryFolder(rehearsalProject(script))
    const terminal = openTerminal(['ask', 'Hi', '--to', 'gpt'], { cwd: folder })
    expect(await terminal.finished).toBe(0)
    expect(terminal.screen()).toContain('\nbefore ]0;title[2J after\n')
    expect(terminal.sent()).not.toContain('\x1b]')
    expect(terminal.sent()).not.toContain('\x1b[2J')
  })

  it('stops a session on Ctrl-C, says so, and exits 130', async () => {
    const story = 'and then '.repeat(500)
    const script = `- when: { ask: turn }\n  stream_ms: 600000\n  reply: { message: "${story}" }`
    const folder = temporaryFolder(rehearsalProject(script))
    const terminal = openTerminal(['ask', 'Tell', '--mode', 'collaborate'], { cwd: folder })
    await terminal.shows('gpt · round 1 of 6')
    terminal.type('\x03')
    expect(await terminal.finished).toBe(130)
    expect(terminal.screen()).toContain('(broken off)\n\nCollaboration canceled by user.\nended: canceled')
  })
})
