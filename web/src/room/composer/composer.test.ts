import { describe, expect, it } from 'vitest'

import { newMessage } from '../../../../src/serve/api/rooms.ts'
import { overrideLabel } from '../conversation/override-label.ts'

import { commands, parseCommand } from './commands.ts'
import { clampRounds, collaborateLabel, fitComposition, messageBody } from './composition.ts'
import { suggestionsFor, typedPath } from './suggestions.ts'

const known = { agents: ['gpt', 'claude', 'gemini'], rooms: [{ id: 'r1', name: 'Payments rewrite' }] }
const parse = (text: string) => parseCommand(text, known)
const id = '3f0e2a8e-54a1-4f6a-9d0a-2a4f6f1f8b11'

describe('a word over the rule', () => {
  it('names the two where there are two, and does not promise everybody where there are more', () => {
    expect(overrideLabel('both', ['gpt', 'claude'])).toBe('gpt and claude')
    expect(overrideLabel('both', ['gpt', 'claude', 'gemini'])).toBe('at least two')
    expect(overrideLabel('only gpt', ['gpt', 'claude', 'gemini'])).toBe('only gpt')
  })
})

describe('suggestions of files', () => {
  const files = ['src/', 'src/my file.ts', 'src/a.ts']

  it('[RD15] follow the agents in one list; a folder is completed further, and spaces need quotes', () => {
    const offered = suggestionsFor('why @src', 8, known, files)
    expect(offered.map(({ label, text }) => [label, text])).toEqual([
      ['@src/', 'why @src/'],
      ['@src/my file.ts', 'why @"src/my file.ts" '],
      ['@src/a.ts', 'why @src/a.ts '],
    ])
    expect(suggestionsFor('@g', 2, known, ['g.ts']).map(({ label }) => label)).toEqual(['@gpt', '@gemini', '@g.ts'])
    expect(typedPath('@', 1)).toBeNull()
    expect(typedPath('ann@host', 8)).toBeNull()
  })
})

describe('commands', () => {
  it('[AM1] tell one agent something', () => {
    expect(parse('/tell gpt: we use tabs')).toEqual({ do: 'tell', agent: 'gpt', text: 'we use tabs' })
    expect(parse('/tell nobody x')).toMatchObject({ do: 'wrong' })
    expect(parse('/tell gpt')).toMatchObject({ do: 'wrong' })
  })

  it('choose a mode, the agents, and leave the rest as the message', () => {
    expect(parse('/single gpt')).toEqual({ do: 'mode', mode: 'single', agents: ['gpt'], text: '' })
    expect(parse('/single @Claude why so?')).toEqual({
      do: 'mode',
      mode: 'single',
      agents: ['claude'],
      text: 'why so?',
    })
    expect(parse('/collab gpt, claude: a tale: short')).toEqual({
      do: 'mode',
      mode: 'collaborate',
      agents: ['gpt', 'claude'],
      text: 'a tale: short',
    })
    expect(parse('/collab write a tale')).toEqual({ do: 'mode', mode: 'collaborate', agents: [], text: 'write a tale' })
    expect(parse('/coordinate')).toEqual({ do: 'mode', mode: 'coordinate', agents: [], text: '' })
  })

  it('stop, override, go elsewhere', () => {
    expect(parse('/stop')).toEqual({ do: 'stop' })
    expect(parse('/STOP ')).toEqual({ do: 'stop' })
    expect(parse('/only claude')).toEqual({ do: 'override', override: 'only claude' })
    expect(parse('/both')).toEqual({ do: 'override', override: 'both' })
    expect(parse('/rule')).toEqual({ do: 'override', override: null })
    expect(parse('/room payments rewrite')).toEqual({ do: 'room', id: 'r1' })
    expect(parse('/new Search latency')).toEqual({ do: 'new-room', name: 'Search latency' })
    expect(parse('/rounds 12')).toEqual({ do: 'rounds', count: 12 })
    expect(parse('/ship Export: as CSV\nand mail it')).toEqual({ do: 'ship', goal: 'Export: as CSV\nand mail it' })
    expect(parse('/plan Export as CSV')).toEqual({ do: 'plan', goal: 'Export as CSV' })
    expect(parse('/build')).toEqual({ do: 'build' })
  })

  it('say what is wrong with them', () => {
    expect(parse('/rounds 51')).toMatchObject({ do: 'wrong' })
    expect(parse('/only nobody')).toMatchObject({ do: 'wrong' })
    expect(parse('/room attic')).toMatchObject({ do: 'wrong' })
    expect(parse('/ship')).toMatchObject({ do: 'wrong' })
    expect(parse('/stpo')).toEqual({ do: 'wrong', message: 'There is no command /stpo. Did you mean /stop?' })
  })

  it('are not seen in a message', () => {
    for (const text of ['hello', '/etc/hosts is empty', 'see /stop', ' /stop', '/']) expect(parse(text)).toBeNull()
  })

  it('are all understood', () => {
    for (const { name, takes } of commands) {
      const argument = {
        agent: ' gpt',
        agents: ' gpt claude',
        rounds: ' 3',
        room: ' r1',
        name: ' x',
        goal: ' x',
        message: ' gpt: x',
      }
      expect(parse(`/${name}${takes ? argument[takes] : ''}`)).not.toMatchObject({ do: 'wrong' })
    }
  })
})

describe('suggestions', () => {
  const labels = (text: string, caret = text.length) => suggestionsFor(text, caret, known).map(({ label }) => label)

  it('offer every command after a slash, and fewer with every letter', () => {
    expect(labels('/')).toHaveLength(commands.length)
    expect(labels('/st')).toEqual(['/stop'])
    expect(labels('/nothing')).toEqual([])
    expect(labels('a /st')).toEqual([])
  })

  it('offer agents where a command takes them', () => {
    expect(labels('/single ')).toEqual(['gpt', 'claude', 'gemini'])
    expect(labels('/collab gpt g')).toEqual(['gemini'])
    expect(labels('/single gpt ')).toEqual([])
    expect(labels('/collab gpt claude: g')).toEqual([])
    expect(labels('/room pay')).toEqual(['Payments rewrite'])
  })

  it('complete names after @, anywhere but inside a word', () => {
    expect(labels('hello @g')).toEqual(['@gpt', '@gemini'])
    expect(labels('@')).toEqual(['@gpt', '@claude', '@gemini', '@all', '@router collaborate'])
    expect(labels('mail me@g')).toEqual([])
    expect(labels('@gpt')).toEqual([])
  })

  it('put the choice where it was being typed', () => {
    const [gpt] = suggestionsFor('ask @g now', 6, known)
    expect(gpt).toMatchObject({ text: 'ask @gpt now', caret: 9, runs: false })
  })
})

describe('a composition', () => {
  it('starts with the rule deciding, everyone as participants and six turns', () => {
    expect(fitComposition(undefined, known.agents)).toEqual({
      mode: 'coordinate',
      target: 'gpt',
      participants: ['gpt', 'claude', 'gemini'],
      speaker: 'gpt',
      maxRounds: 6,
      autopilot: false,
      override: null,
    })
    expect(fitComposition(undefined, ['gpt']).mode).toBe('single')
  })

  it('forgets agents that are gone', () => {
    const kept = { target: 'old', participants: ['old', 'claude'], speaker: 'old', maxRounds: 400 }
    expect(fitComposition(kept, known.agents)).toMatchObject({
      target: 'gpt',
      participants: ['claude'],
      speaker: 'claude',
      maxRounds: 50,
    })
  })

  it('names the participants in the mode', () => {
    expect(collaborateLabel(['gpt', 'claude'])).toBe('Collaborate (gpt↔claude)')
    expect(collaborateLabel(['gpt', 'claude', 'gemini'])).toBe('Collaborate (gpt↔claude↔gemini)')
    expect(collaborateLabel(['gpt', 'claude', 'gemini', 'mistral'])).toBe('Collaborate (4 agents)')
  })

  it('keeps turns between 1 and 50', () => {
    expect([0, 1, 6.4, 50, 51, Number.NaN].map(clampRounds)).toEqual([1, 1, 6, 50, 50, 6])
  })

  it('becomes a request that the server takes, with what its mode needs and nothing else', () => {
    const composition = fitComposition({ mode: 'collaborate', speaker: 'claude' }, known.agents)
    const single = messageBody({ ...composition, mode: 'single' }, 'hi', id)
    const together = messageBody(composition, 'hi', id)
    const free = messageBody({ ...composition, autopilot: true }, 'hi', id)
    const ruled = messageBody({ ...composition, mode: 'coordinate', override: 'only gpt' }, 'hi', id)
    expect(single).toEqual({ text: 'hi', message_id: id, mode: 'single', target: 'gpt' })
    const participants = ['gpt', 'claude', 'gemini']
    expect(together).toEqual({
      text: 'hi',
      message_id: id,
      mode: 'collaborate',
      participants,
      speaker: 'claude',
      max_rounds: 6,
    })
    expect(free).toEqual({ text: 'hi', message_id: id, mode: 'autopilot', participants, speaker: 'claude' })
    expect(ruled).toEqual({ text: 'hi', message_id: id, mode: 'coordinate', override: 'only gpt' })
    for (const body of [single, together, free, ruled]) expect(newMessage.safeParse(body).success).toBe(true)
  })
})
