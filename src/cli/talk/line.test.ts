import { describe, expect, it } from 'vitest'
import { completeTalk } from './completion.ts'
import { readTalkLine, talkCommands } from './line.ts'
import { help, overrideInWords } from './words.ts'

const plain = { style: (_: unknown, text: string) => text, colourOf: () => 'red' as const }

describe('/help', () => {
  it('names an agent of the room, and breaks between words at any width', () => {
    const agents = ['ada', 'bob', 'cyd']
    for (const columns of [30, 60, 80, undefined]) {
      const lines = help(agents, { ...plain, columns: () => columns })
      const words = lines.replaceAll(/\s+/g, ' ')
      expect(words).toContain('@ada in it calls ada by name')
      expect(words).toContain('let a second agent answer this message, too')
      expect(words).not.toMatch(/gpt|both agents/)
      const widest = Math.max(...lines.split('\n').map((line) => line.length))
      if (columns !== undefined) expect(widest).toBeLessThanOrEqual(Math.max(columns, 33))
    }
  })
})

describe('an override in words', () => {
  it('counts the agents of the room', () => {
    expect(overrideInWords({ kind: 'both' }, ['ada', 'bob'])).toBe('both answer')
    expect(overrideInWords({ kind: 'both' }, ['ada', 'bob', 'cyd'])).toBe('two agents answer')
    expect(overrideInWords({ kind: 'only', agent: 'ada' }, ['ada', 'bob'])).toBe('only ada answers')
  })
})

describe('a line typed into a room', () => {
  it('is a message, unless it begins with a slash', () => {
    expect(readTalkLine('  ')).toEqual({ kind: 'nothing' })
    expect(readTalkLine('which queue?\nand why ')).toEqual({ kind: 'message', text: 'which queue?\nand why' })
    expect(readTalkLine(' /etc/hosts is empty')).toEqual({ kind: 'message', text: '/etc/hosts is empty' })
    expect(readTalkLine('/Help')).toEqual({ kind: 'help' })
  })

  it('sets the agents and the mode', () => {
    expect(readTalkLine('/to gpt, @claude')).toEqual({ kind: 'to', names: ['gpt', 'claude'] })
    expect(readTalkLine('/to')).toEqual({ kind: 'to', names: [] })
    expect(readTalkLine('/mode collaborate')).toEqual({ kind: 'mode', mode: 'collaborate' })
    expect(readTalkLine('/mode')).toEqual({ kind: 'mode' })
    expect(readTalkLine('/room two words')).toEqual({ kind: 'room', room: 'two words' })
  })

  it('starts a collaboration and keeps its goal verbatim', () => {
    expect(readTalkLine('/collab gpt claude: a tale: in two parts')).toEqual({
      kind: 'collaborate',
      names: ['gpt', 'claude'],
      goal: 'a tale: in two parts',
    })
    expect(readTalkLine('/collab : everybody')).toMatchObject({ names: [], goal: 'everybody' })
    expect(readTalkLine('/collab gpt claude')).toMatchObject({ kind: 'wrong' })
    expect(readTalkLine('/collab gpt claude: ')).toMatchObject({ kind: 'wrong' })
  })

  it('starts a ship and keeps its goal verbatim', () => {
    expect(readTalkLine('/ship Export: as CSV\nand mail it')).toEqual({
      kind: 'ship',
      goal: 'Export: as CSV\nand mail it',
    })
    expect(readTalkLine('/ship')).toMatchObject({ kind: 'wrong' })
  })

  it('[RD10] overrides the rule for one message or for the room', () => {
    expect(readTalkLine('/both')).toEqual({ kind: 'override', override: 'both' })
    expect(readTalkLine('/both what now?')).toEqual({ kind: 'message', text: 'what now?', override: 'both' })
    expect(readTalkLine('/only @gpt')).toEqual({ kind: 'override', override: 'only gpt' })
    expect(readTalkLine('/only gpt say it')).toEqual({ kind: 'message', text: 'say it', override: 'only gpt' })
    expect(readTalkLine('/only')).toMatchObject({ kind: 'wrong' })
    expect(readTalkLine('/rule')).toEqual({ kind: 'override', override: null })
  })

  it('[AM1] sends a private message to one agent', () => {
    expect(readTalkLine('/tell gpt we use tabs')).toEqual({ kind: 'tell', agent: 'gpt', text: 'we use tabs' })
    expect(readTalkLine('/tell @gpt: we use tabs')).toEqual({ kind: 'tell', agent: 'gpt', text: 'we use tabs' })
    expect(readTalkLine('/tell gpt')).toMatchObject({ kind: 'wrong' })
  })

  it('suggests the command that was probably meant', () => {
    expect(readTalkLine('/hlep')).toMatchObject({ message: expect.stringContaining('Did you mean /help?') })
    expect(readTalkLine('/')).toMatchObject({ kind: 'wrong' })
  })
})

describe('Tab completion', () => {
  const paths = ['src/', 'src/client.ts', 'src/room/round.ts', 'docs/src.md']
  const known = {
    agents: ['gpt', 'claude'],
    rooms: ['terminal', 'plans'],
    files: async (text: string) => paths.filter((path) => path.includes(text)),
  }
  const offered = (line: string) => completeTalk(line, known)

  it('offers commands after a slash', async () => {
    expect((await offered('/'))[0]).toHaveLength(talkCommands.length)
    expect(await offered('/ro')).toEqual([['/rooms ', '/room '], '/ro'])
  })

  it('offers agents after an @ and as arguments of commands', async () => {
    expect(await offered('what do you say, @cl')).toEqual([['@claude '], '@cl'])
    expect((await offered('a@gp'))[0]).toEqual([])
    expect(await offered('/to gpt,c')).toEqual([['claude '], 'c'])
    expect(await offered('/collab gpt cl')).toEqual([['claude '], 'cl'])
    expect((await offered('/collab gpt claude: cl'))[0]).toEqual([])
  })

  it('[RD15] offers files after an @, and completes a folder further', async () => {
    expect(await offered('why @src/')).toEqual([['@src/', '@src/client.ts ', '@src/room/round.ts '], '@src/'])
    expect(await offered('why @src/cl')).toEqual([['@src/client.ts '], '@src/cl'])
    expect((await offered('why @'))[0]).toEqual(['@gpt ', '@claude ', '@all ', '@router '])
  })

  it('offers modes and rooms', async () => {
    expect(await offered('/mode a')).toEqual([['autopilot '], 'a'])
    expect(await offered('/room ')).toEqual([['terminal ', 'plans '], ''])
  })
})
