/** `convene` alone in a terminal: an interactive room. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rehearsalProject, run, start, temporaryFolder } from '../support/convene.ts'
import { openTerminal } from '../support/terminal.ts'

const [enter, esc, interrupt, leave, tab] = ['\r', '\x1b', '\x03', '\x04', '\t']

const script = `
- when: { ask: micro-proposal, agent: gpt }
  repeat: true
  reply: { angle: schema and indexes, confidence: 0.85, covers: [storage] }
- when: { ask: micro-proposal, agent: claude }
  repeat: true
  reply: { angle: delivery, confidence: 0.2, covers: [retries] }
- when: { ask: turn, agent: gpt, round: 1 }
  repeat: true
  reply: { message: A draft., handoff: { to: claude, task: edit it } }
- when: { ask: turn, agent: claude, round: 2 }
  repeat: true
  reply: { message: An edit., final: true }
- when: { ask: answer, agent: gpt, contains: forever }
  repeat: true
  stream_ms: 60000
  text: "${'and then '.repeat(500)}"
- when: { ask: answer, agent: gpt, contains: "first line\\nsecond line" }
  repeat: true
  text: Two lines came.
- when: { ask: answer, agent: gpt }
  repeat: true
  text: gpt says so.
- when: { ask: answer, agent: claude }
  repeat: true
  text: claude says so.
`

const folderWith = (text = script) => temporaryFolder(rehearsalProject(text))

/** The room's empty prompt, as the last thing on the screen. */
const prompt = (room: string) => new RegExp(`\\n${room} › ?$`)

const linesOf = (screen: string) => screen.split('\n').map((line) => line.trimEnd())

describe('convene alone', () => {
  it('prints the help without a terminal, and names the alternative to talk', async () => {
    const alone = await run([])
    expect([alone.code, alone.stdout.includes('Usage: convene')]).toEqual([0, true])
    const talk = await run(['talk'])
    expect([talk.code, talk.stderr.includes('convene ask')]).toEqual([2, true])
  })

  it('opens a room: the answer streams in, /why explains it, /quit leaves', async () => {
    const terminal = openTerminal([], { cwd: folderWith() })
    await terminal.shows(prompt('terminal'))
    expect(terminal.screen()).toContain('terminal with gpt and claude\n(rehearsal: gpt and claude play a script')
    terminal.type(`Which queue?${enter}`)
    await terminal.shows(/SOLO: gpt · clearly ahead · .*\n\ngpt · rehearsal\ngpt says so\.\n\nterminal ›/)
    terminal.type(`/why${enter}`)
    await terminal.shows('gap 0.65, limit 0.30 [DP1]')
    terminal.type(`/quit${enter}`)
    expect(await terminal.finished).toBe(0)
  })

  it('shows the latest messages of the room and how they were decided', async () => {
    const cwd = folderWith()
    await run(['ask', 'Which queue?', '--room', 'plans'], { cwd })
    const terminal = openTerminal(['--room', 'plans'], { cwd })
    await terminal.shows(prompt('plans'))
    expect(terminal.screen()).toMatch(/\nyou {2}Which queue\?\nSOLO: gpt · .*\ngpt {2}gpt says so\.\n/)
    terminal.type('\x1b[A')
    await terminal.shows('plans › Which queue?')
    terminal.type(`${interrupt}${leave}`)
    expect(await terminal.finished).toBe(0)
  })

  it('breaks the recap and the help between words, and names agents of the room in the help', async () => {
    const files = Object.entries(rehearsalProject(script)).map(([name, text]) => [name, text.replaceAll('gpt', 'ada')])
    const cwd = temporaryFolder(Object.fromEntries(files))
    await run(['ask', `Which queue? ${'Postgres or Redis, '.repeat(8)}`, '--room', 'plans'], { cwd })
    const terminal = openTerminal(['--room', 'plans'], { cwd, columns: 60 })
    await terminal.shows(prompt('plans'))
    expect(terminal.screen()).toMatch(/\nyou {2}Which queue\? (?:Postgres or Redis,\s)+/)
    expect(linesOf(terminal.screen()).filter((line) => line.length > 60)).toEqual([])
    terminal.type(`/help${enter}`)
    const help = await terminal.shows(/Tab completes\.[\s\S]*Ctrl-D\s+leaves\./)
    expect(help).toMatch(/\bautopilot\n/)
    expect(linesOf(help).filter((line) => line.length > 60)).toEqual([])
    expect(help).toContain('@ada in it calls ada by name')
    expect(help).not.toMatch(/gpt|both agents/)
    terminal.type(leave)
    expect(await terminal.finished).toBe(0)
  })

  it('asks one agent, starts a collaboration, overrides the rule and undoes that', async () => {
    const terminal = openTerminal([], { cwd: folderWith() })
    await terminal.shows(prompt('terminal'))
    terminal.type(`/to claude${enter}`)
    await terminal.shows('terminal → claude ›')
    terminal.type(`hello${enter}`)
    await terminal.shows(/claude · rehearsal\nclaude says so\.\n\nterminal → claude ›/)
    terminal.type(`/to${enter}`)
    await terminal.shows(prompt('terminal'))
    terminal.type(`/collab gpt claude: a tale${enter}`)
    await terminal.shows(
      /gpt · round 1 of 6.*\nA draft\.\n→ claude: edit it\n\nclaude · round 2 of 6.*\nAn edit\.\nended: final/,
    )
    terminal.type(`/only claude${enter}`)
    await terminal.shows('terminal · only claude answers ›')
    terminal.type(`/both Which queue?${enter}`)
    await terminal.shows(/PARALLEL: claude and gpt · as you asked/)
    terminal.type(`/rule${enter}`)
    await terminal.shows('The rule decides who answers.')
    await terminal.shows(prompt('terminal'))
    terminal.type(`/mode autpilot${enter}`)
    await terminal.shows("unknown mode 'autpilot'")
    terminal.type(`/hlep${enter}`)
    await terminal.shows('Did you mean /help?')
    terminal.type(leave)
    expect(await terminal.finished).toBe(0)
  })

  it('stops the run on Esc and on Ctrl-C, keeps typed text, and stays in the room', async () => {
    const terminal = openTerminal([], { cwd: folderWith() })
    await terminal.shows(prompt('terminal'))
    terminal.type(`Go on forever${enter}`)
    await terminal.shows('and then and then')
    terminal.type('typed meanwhile')
    terminal.type(esc)
    await terminal.shows(/\(broken off\)\n\nStopped by user\.\n\nterminal › typed meanwhile$/)
    terminal.type(interrupt)
    await terminal.shows(prompt('terminal'))
    terminal.type(interrupt)
    await terminal.shows('Ctrl-D or /quit leaves.')
    terminal.type(`@gpt once more forever${enter}`)
    await terminal.shows(/called by name\n\ngpt · rehearsal\nand then/)
    terminal.type(interrupt)
    await terminal.shows(/Stopped by user\.[\s\S]*Stopped by user\.\n\nterminal › ?$/)
    terminal.type(leave)
    expect(await terminal.finished).toBe(0)
  })

  it('completes commands and agents, and sends pasted lines as one message', async () => {
    const terminal = openTerminal([], { cwd: folderWith() })
    await terminal.shows(prompt('terminal'))
    terminal.type('/wh')
    await terminal.shows('terminal › /wh')
    terminal.type(tab)
    await terminal.shows('terminal › /why')
    terminal.type(interrupt)
    await terminal.shows(prompt('terminal'))
    terminal.type('say it, @cl')
    await terminal.shows('@cl')
    terminal.type(tab)
    await terminal.shows('say it, @claude')
    terminal.type(interrupt)
    await terminal.shows(prompt('terminal'))
    terminal.type('\x1b[200~first line\rsecond line\x1b[201~')
    await terminal.shows('terminal › first line\n… second line')
    terminal.type(enter)
    await terminal.shows('Two lines came.')
    terminal.type(leave)
    expect(await terminal.finished).toBe(0)
  })

  it('[RD15] [AM1] completes paths, attaches them, and sends one agent a private message', async () => {
    const cwd = folderWith(
      `- when: { ask: answer, contains: "attached: notes.md, 1 line ---\\nUse tabs." }
  text: I read your notes.
- when: { ask: agent-message, agent: gpt }
  reply: { content: Understood. }
`,
    )
    writeFileSync(join(cwd, 'notes.md'), 'Use tabs.\n')
    const terminal = openTerminal([], { cwd })
    await terminal.shows(prompt('terminal'))
    terminal.type('@gpt read @not')
    await terminal.shows('@not')
    terminal.type(tab)
    await terminal.shows('@gpt read @notes.md')
    terminal.type(enter)
    await terminal.shows('I read your notes.')
    await terminal.shows(prompt('terminal'))
    terminal.type(`/tell gpt We use tabs.${enter}`)
    await terminal.shows('gpt → you · inform: Understood.')
    terminal.type(leave)
    expect(await terminal.finished).toBe(0)
  })

  it('changes rooms, and shows messages from elsewhere while a person types', async () => {
    const cwd = folderWith()
    const terminal = openTerminal([], { cwd })
    await terminal.shows(prompt('terminal'))
    terminal.type(`/room plans${enter}`)
    await terminal.shows(prompt('plans'))
    terminal.type(`/rooms${enter}`)
    await terminal.shows(/\n {2}terminal gpt and claude\n› plans gpt and claude\n/)
    terminal.type('half a sen')
    await terminal.shows('plans › half a sen')
    const elsewhere = await run(['ask', 'From elsewhere', '--to', 'gpt', '--room', 'plans'], { cwd })
    expect(elsewhere.code).toBe(0)
    await terminal.shows(/you\nFrom elsewhere\n\ngpt · rehearsal\ngpt says so\.\nplans › half a sen$/)
    terminal.type(`${interrupt}${leave}`)
    expect(await terminal.finished).toBe(0)
  })

  it('stops runs of its room that were started elsewhere with /stop', async () => {
    const cwd = folderWith()
    const terminal = openTerminal([], { cwd })
    await terminal.shows(prompt('terminal'))
    terminal.type(`/stop${enter}`)
    await terminal.shows('Nothing is running in this room.')
    const asking = start(['ask', 'Go on forever', '--to', 'gpt', '--json'], { cwd })
    await asking.says(/"ask\.started"/)
    await terminal.shows('Go on forever')
    terminal.type(`/stop${enter}`)
    expect((await asking.finished).code).toBe(130)
    terminal.type(leave)
    expect(await terminal.finished).toBe(0)
  })

  it('continues an answer when the owner is killed in the middle of it', async () => {
    const words = Array.from({ length: 300 }, (_, index) => `word${index}`).join(' ')
    const cwd = folderWith(`
- when: { ask: answer, agent: claude }
  repeat: true
  after_ms: 600000
  text: never
- when: { ask: answer, agent: gpt }
  repeat: true
  stream_ms: 8000
  text: ${words}
`)
    const owner = start(['ask', 'Keep the project', '--to', 'claude', '--room', 'other', '--json'], { cwd })
    await owner.says(/"ask\.started"/)
    const terminal = openTerminal([], { cwd })
    await terminal.shows(prompt('terminal'))
    terminal.type(`@gpt speak${enter}`)
    await terminal.shows('word0 word1')
    owner.child.kill('SIGKILL')
    await terminal.shows(/word299\s*\n\nterminal › ?$/)
    expect(terminal.screen().replace(/(word\d+)\n(?=word)/g, '$1 ')).toContain(`\ngpt · rehearsal\n${words}\n`)
    terminal.type(leave)
    expect(await terminal.finished).toBe(0)
  })
})
