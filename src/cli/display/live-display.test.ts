import { describe, expect, it } from 'vitest'
import { liveDisplay } from './live-display.ts'

const gpt = { ask: 'run/1', agent: 'gpt', rehearsal: false }
const claude = { ask: 'run/2', agent: 'claude', rehearsal: false }

function display(names = true, columns?: number) {
  let screen = ''
  const spun: (string | null)[] = []
  const shown = liveDisplay(
    {
      write: (text) => {
        screen += text
      },
      spin: (text) => spun.push(text),
      style: (_, text) => text,
      colourOf: () => 'cyan',
      columns: () => columns,
    },
    { names },
  )
  const words = (ask: string, offset: number, text: string, attempt = 1) => shown.words({ ask, attempt, offset, text })
  return { ...shown, words, screen: () => screen, spun }
}

describe('a room on a terminal', () => {
  it('streams one agent at a time and buffers the others', () => {
    const room = display()
    room.expect(gpt)
    room.expect(claude)
    room.words('run/1', 0, 'one ')
    room.words('run/2', 0, 'uno ')
    room.words('run/1', 4, 'two')
    expect(room.screen()).toBe('gpt\none two')
    room.words('run/2', 4, 'due')
    room.reply(gpt, 'one two three')
    expect(room.screen()).toBe('gpt\none two three\n\nclaude\nuno due')
    room.reply(claude, 'uno due tre')
    expect(room.screen()).toBe('gpt\none two three\n\nclaude\nuno due tre\n')
  })

  it('breaks lines between words, also where a word arrives in pieces', () => {
    const room = display(true, 12)
    room.expect(gpt)
    room.words('run/1', 0, 'whoever ow')
    room.words('run/1', 10, 'ns it pays')
    room.reply(gpt, 'whoever owns it pays')
    room.aside('decided by wording')
    expect(room.screen()).toBe('gpt\nwhoever owns\nit pays\ndecided by\nwording\n')
  })

  it('does not let a finished reply wait for an agent that has not started', () => {
    const room = display()
    room.expect(gpt)
    room.expect(claude)
    room.words('run/2', 0, 'uno')
    expect(room.screen()).toBe('')
    room.reply(claude, 'uno')
    expect(room.screen()).toBe('claude\nuno\n')
    room.reply(gpt, 'one')
    expect(room.screen()).toBe('claude\nuno\n\ngpt\none\n')
  })

  it('holds back notices until the current reply ends', () => {
    const room = display()
    room.aside('decided')
    room.expect(gpt)
    room.hint('claude waits')
    room.words('run/1', 0, 'one ')
    room.aside('→ claude: go on')
    room.hint('too late to be of use')
    room.reply(gpt, 'one two')
    expect(room.screen()).toBe('decided\nclaude waits\n\ngpt\none two\n→ claude: go on\n')
  })

  it('continues if a new attempt begins with the same text, else starts over', () => {
    const same = display(false)
    same.expect(gpt)
    same.words('run/1', 0, 'one two')
    same.words('run/1', 0, '', 101)
    same.words('run/1', 0, 'one', 101)
    same.words('run/1', 3, ' two three', 101)
    same.reply(gpt, 'one two three')
    expect(same.screen()).toBe('one two three\n')

    const other = display(false)
    other.expect(gpt)
    other.words('run/1', 0, 'one two')
    other.words('run/1', 0, 'un', 2)
    other.reply(gpt, 'un deux')
    expect(other.screen()).toBe('one two\n(once more, from the start)\nun deux\n')
  })

  it('shows text that arrives before its agent is known, and nothing twice after a reconnect', () => {
    const room = display()
    room.words('run/1', 0, 'one two')
    room.expect(gpt)
    room.words('run/1', 0, 'one ')
    room.words('run/1', 9, 'after a gap')
    expect(room.screen()).toBe('gpt\none two')
    room.reply(gpt, 'one two and more')
    expect(room.screen()).toBe('gpt\none two and more\n')
  })

  it('marks an interrupted reply, drops one that never began, and shows later ones', () => {
    const room = display()
    room.expect(gpt)
    room.expect(claude)
    room.words('run/1', 0, 'one')
    room.notice('Stopped by user.')
    expect(room.screen()).toBe('gpt\none')
    room.over()
    expect(room.screen()).toBe('gpt\none (broken off)\n\nStopped by user.\n')
  })

  it('removes control characters, and blank lines around a reply', () => {
    const room = display(false)
    room.expect(gpt)
    room.words('run/1', 0, '\n\n\u001b[2Jone\r')
    room.words('run/1', 10, '\u009b31m\n\n')
    room.reply(gpt, '\n\n\u001b[2Jone\r\u009b31m\n\n')
    expect(room.screen()).toBe('[2Jone31m\n')
  })

  it('spins only while no agent replies', () => {
    const room = display()
    room.waitingFor('gpt is thinking')
    room.expect(gpt)
    expect(room.spun.at(-1)).toBe('gpt is thinking')
    room.words('run/1', 0, 'one')
    expect(room.spun.at(-1)).toBeNull()
    room.waitingFor('still')
    expect(room.spun.at(-1)).toBeNull()
  })
})
