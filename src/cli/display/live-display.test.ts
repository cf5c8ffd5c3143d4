import { describe, expect, it } from 'vitest'
import { liveDisplay } from './live-display.ts'

const gpt = { ask: 'run/1', agent: 'gpt', rehearsal: false }
const claude = { ask: 'run/2', agent: 'claude', rehearsal: false }

function display(names = true) {
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
    },
    { names },
  )
  const words = (ask: string, offset: number, text: string, attempt = 1) => shown.words({ ask, attempt, offset, text })
  return { ...shown, words, screen: () => screen, spun }
}

describe('a room on a terminal', () => {
  it('gives the floor to one at a time: what the other says meanwhile follows whole', () => {
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

  it('lets what is finished not wait for an agent that has said nothing yet', () => {
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

  it('keeps lines that come in the middle of a reply until it is over', () => {
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

  it('goes on without a break where a new try begins with the same words, and starts over where it does not', () => {
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

  it('shows words that were sent before it was known whose they are, and no word twice after a reconnect', () => {
    const room = display()
    room.words('run/1', 0, 'one two')
    room.expect(gpt)
    room.words('run/1', 0, 'one ')
    room.words('run/1', 9, 'after a gap')
    expect(room.screen()).toBe('gpt\none two')
    room.reply(gpt, 'one two and more')
    expect(room.screen()).toBe('gpt\none two and more\n')
  })

  it('says that a reply was broken off, drops one that never began, and shows what came after', () => {
    const room = display()
    room.expect(gpt)
    room.expect(claude)
    room.words('run/1', 0, 'one')
    room.notice('Stopped by user.')
    expect(room.screen()).toBe('gpt\none')
    room.over()
    expect(room.screen()).toBe('gpt\none (broken off)\n\nStopped by user.\n')
  })

  it('lets nothing through that moves the cursor, and no blank lines at the ends of a reply', () => {
    const room = display(false)
    room.expect(gpt)
    room.words('run/1', 0, '\n\n\u001b[2Jone\r')
    room.words('run/1', 10, '\u009b31m\n\n')
    room.reply(gpt, '\n\n\u001b[2Jone\r\u009b31m\n\n')
    expect(room.screen()).toBe('[2Jone31m\n')
  })

  it('turns only while nobody speaks', () => {
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
