/** What agents are told of a room's earlier talk: the window, its summary, attachments, and each other. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Line, openRoom, recordPrompts } from './open-room.ts'

const answers: Line[] = [
  { when: { ask: 'answer' }, repeat: true, text: 'Noted.' },
  { when: { ask: 'turn' }, repeat: true, reply: { message: 'Agreed.', final: true } },
]
const proposals: Line = {
  when: { ask: 'micro-proposal' },
  repeat: true,
  reply: { angle: 'storage', confidence: 0.6, covers: ['storage'], solo_sufficient: true },
}

describe('the talk of a room', () => {
  it('[RD4] is in the request for proposals: its last lines, shortened', async () => {
    const room = await openRoom([proposals, ...answers])
    const asked = recordPrompts(room.served)
    await room.ask({ text: `We use Postgres 17. ${'x'.repeat(400)}`, target: 'gpt' })
    await room.ask({ text: 'Which queue fits that database?' })
    const proposal = asked.find(({ kind }) => kind === 'micro-proposal')!.prompt
    expect(proposal).toContain('you: We use Postgres 17. xxx')
    expect(proposal).not.toContain('x'.repeat(301))
    expect(proposal).toContain('gpt: Noted.')
  })

  it('[TN7] [TN9] opens a session, without what was said in other sessions', async () => {
    const room = await openRoom(answers)
    await room.ask({ text: 'The deadline is Friday.', target: 'gpt' })
    await room.ask({ text: 'an older goal', mode: 'collaborate', participants: ['gpt', 'claude'] })
    const asked = recordPrompts(room.served)
    await room.ask({ text: 'Plan the week', mode: 'collaborate', participants: ['gpt', 'claude'] })
    const { prompt } = asked[0]!
    expect(prompt).toContain(
      'What was said in the room before this collaboration, oldest first:\n[you] The deadline is Friday.\n[gpt] Noted.',
    )
    expect(prompt).not.toMatch(/an older goal|Agreed/)
  })

  it('[RD2] tells agents that were called together by name about each other', async () => {
    const room = await openRoom(answers)
    const asked = recordPrompts(room.served)
    await room.ask({ text: '@gpt @claude name one risk each' })
    expect(asked.map(({ agent, prompt }) => [agent, /called you and (\w+) by name/.exec(prompt)?.[1]])).toEqual([
      ['gpt', 'claude'],
      ['claude', 'gpt'],
    ])
    await room.ask({ text: '@gpt alone' })
    expect(asked.at(-1)!.prompt).not.toContain('by name')
  })

  it('[RD16] says how many earlier messages are not shown', async () => {
    const room = await openRoom(answers, { settings: { room: { talk: { window_items: 4 } } } })
    const asked = recordPrompts(room.served)
    for (const number of [1, 2, 3, 4]) await room.ask({ text: `message ${number}.`, target: 'gpt' })
    expect(asked[2]!.prompt).not.toContain('not shown')
    expect(asked[3]!.prompt).toContain('[room] 2 messages earlier in this room are not shown.')
    expect(asked[3]!.prompt).not.toContain('message 1.')
    expect(asked[3]!.prompt).toContain('message 2.')
  })

  it('[RD16] tells the agents of a long session too', async () => {
    const turns: Line[] = [1, 2, 3, 4, 5, 6].map((round) => ({
      when: { ask: 'turn', round },
      reply: { message: `said ${round}`, handoff: { to: round % 2 ? 'claude' : 'gpt', task: `task ${round}` } },
    }))
    const room = await openRoom(turns)
    const asked = recordPrompts(room.served)
    await room.ask({ text: 'go', mode: 'collaborate', participants: ['gpt', 'claude'] })
    expect(asked.map(({ prompt }) => /\((\d+) earlier messages? not shown\)/.exec(prompt)?.[1])).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      '2',
    ])
  })
})

describe('messages outside the conversation', () => {
  it('[AM1] [AM2] reach one agent from the person; the reply is recorded, and only that agent remembers', async () => {
    const told: Line = {
      when: { ask: 'agent-message', agent: 'gpt', contains: 'The person has written' },
      reply: { content: 'Tabs it is.' },
    }
    const room = await openRoom([told, ...answers])
    const { body } = await room.served.call('POST', `/api/rooms/${room.id}/agent-messages`, {
      kind: 'inform',
      from: 'you',
      to: 'gpt',
      content: 'We use tabs.',
      expects_reply: true,
    })
    await room.over((body as { run: string }).run)
    await room.until(({ type, data }) => type === 'agent-message.sent' && data.to === 'you')
    const sent = await room.events('agent-message.sent')
    expect(sent.map(({ data }) => [data.from, data.to, data.content])).toEqual([
      ['you', 'gpt', 'We use tabs.'],
      ['gpt', 'you', 'Tabs it is.'],
    ])
    const asked = recordPrompts(room.served)
    await room.ask({ text: '@gpt @claude how do we indent?' })
    const prompts = new Map(asked.map(({ agent, prompt }) => [agent, prompt]))
    expect(prompts.get('gpt')).toContain('[you, to you alone, outside the conversation] We use tabs.')
    expect(prompts.get('gpt')).toContain('Tabs it is.')
    expect(prompts.get('claude')).not.toMatch(/tabs/i)
    expect((await room.transcript()).map(({ text }) => text)).not.toContain('We use tabs.')
    const unknown = { kind: 'inform', from: 'you', to: 'nobody', content: 'x' }
    expect((await room.served.call('POST', `/api/rooms/${room.id}/agent-messages`, unknown)).status).toBe(400)
  })
})

describe('the files of the project', () => {
  it('[RD15] are found by a part of their path', async () => {
    const room = await openRoom(answers)
    mkdirSync(join(room.served.folder, 'src/room'), { recursive: true })
    writeFileSync(join(room.served.folder, 'src/room/round.ts'), '')
    const found = async (query: string) => (await room.served.call('GET', `/api/files?query=${query}`)).body
    expect(await found('src/r')).toEqual({ files: ['src/room/', 'src/room/round.ts'] })
    expect(await found('round')).toEqual({ files: ['src/room/round.ts'] })
    expect(await found('token')).toEqual({ files: [] })
  })
})

describe('the summary of a long room', () => {
  const summary = (text: string, contains?: string): Line => ({
    when: { ask: 'room-summary', agent: 'claude', ...(contains ? { contains } : {}) },
    text,
  })
  const settings = { roles: { summariser: 'claude' }, room: { talk: { window_items: 4 } } }

  it('[RD17] replaces what no longer fits, and is rolled forward', async () => {
    const room = await openRoom(
      [
        summary('They ship on Friday.', '[you] message 1.'),
        summary('Still Friday, and in Rust.', 'They ship on Friday.'),
        ...answers,
      ],
      { settings },
    )
    const asked = recordPrompts(room.served)
    for (const number of [1, 2, 3, 4, 5, 6]) {
      await room.ask({ text: `message ${number}.`, target: 'gpt' })
      if (number === 4 || number === 6)
        await room.until(({ type, data }) => type === 'room.summarised' && data.messages === 2 * number - 4)
    }
    const given = asked.filter(({ kind }) => kind === 'answer').map(({ prompt }) => prompt)
    // Due with the fourth message (six came before it), used by the fifth.
    expect(given[3]).toContain('not shown')
    expect(given[4]).toContain('[room] Summary of the first 4 messages in this room:\nThey ship on Friday.')
    expect(given[4]).not.toMatch(/message 2\.|not shown/)
    expect(given[4]).toContain('message 3.')
    const events = await room.events('room.summarised')
    expect(events.map(({ data }) => [data.messages, data.agent])).toEqual([
      [4, 'claude'],
      [8, 'claude'],
    ])
    expect((await room.events('ask.finished')).filter(({ data }) => data.kind === 'room-summary')).toHaveLength(2)
    expect((await room.transcript()).map(({ text }) => text)).not.toContain('They ship on Friday.')
  })

  it('[RD17] is left out if it fails, and asked for again with the next message', async () => {
    const room = await openRoom(
      [{ when: { ask: 'room-summary' }, fail: 'unavailable' }, summary('They ship on Friday.'), ...answers],
      { settings },
    )
    const asked = recordPrompts(room.served)
    for (const number of [1, 2, 3, 4, 5, 6]) {
      await room.ask({ text: `message ${number}.`, target: 'gpt' })
      if (number === 4) await room.until(({ type, data }) => type === 'ask.finished' && data.kind === 'room-summary')
      if (number === 5) await room.until(({ type }) => type === 'room.summarised')
    }
    const given = asked.filter(({ kind }) => kind === 'answer').map(({ prompt }) => prompt)
    expect(given[4]).toContain('4 messages earlier in this room are not shown')
    expect(given[5]).toContain('They ship on Friday.')
    expect((await room.transcript()).filter(({ sender }) => sender === 'router')).toEqual([])
  })

  it('[RD17] is not asked of rehearsal agents that nobody named for it, nor when it is off', async () => {
    for (const chosen of [
      { room: settings.room },
      { ...settings, room: { talk: { window_items: 4, summary: 'off' } } },
    ]) {
      const room = await openRoom(answers, { settings: chosen })
      for (const number of [1, 2, 3, 4]) await room.ask({ text: `message ${number}.`, target: 'gpt' })
      expect((await room.events('ask.started')).filter(({ data }) => data.kind === 'room-summary')).toEqual([])
    }
  })
})

describe('attachments over HTTP', () => {
  it('[RD15] travel with the message, are remembered, and are refused with the place of the mistake', async () => {
    const room = await openRoom([proposals, ...answers])
    mkdirSync(join(room.served.folder, 'src'))
    writeFileSync(join(room.served.folder, 'src/a.ts'), 'one\ntwo\nthree\n')
    const asked = recordPrompts(room.served)
    const { run } = await room.ask({
      text: 'Is this right?',
      attachments: [
        { path: 'src/a.ts', lines: '2-3' },
        { name: 'error.log', text: 'boom' },
      ],
    })
    const [posted] = await room.events('message.posted')
    expect(posted).toMatchObject({
      run,
      data: {
        text: 'Is this right?',
        attachments: [
          { name: 'src/a.ts', kind: 'file', lines: { from: 2, to: 3, of: 3 }, line_count: 2, bytes: 9 },
          { name: 'error.log', kind: 'text', line_count: 1, bytes: 4 },
        ],
      },
    })
    expect((await room.transcript())[0]!.text).toBe(
      'Is this right?\n\n[attached: src/a.ts, lines 2 to 3, error.log, 1 line]',
    )
    for (const { kind, prompt } of asked)
      expect([kind, prompt]).toEqual([kind, expect.stringContaining('2\ttwo\n3\tthree')])
    // A later change of the file does not change what was said.
    writeFileSync(join(room.served.folder, 'src/a.ts'), 'changed\n')
    await room.ask({ text: 'And now?', target: 'claude' })
    expect(asked.at(-1)!.prompt).toContain('--- attached: error.log, 1 line ---\nboom')
    expect(asked.at(-1)!.prompt).not.toContain('changed')

    const refused = async (attachment: Record<string, unknown>) => {
      const body = { text: 'See', attachments: [attachment] }
      const { status, body: answer } = await room.served.call('POST', `/api/rooms/${room.id}/messages`, body)
      return [status, (answer as { error: { path: string } }).error.path]
    }
    expect(await refused({ path: 'src/b.ts' })).toEqual([400, 'attachments.0.path'])
    expect(await refused({ path: '../outside.txt' })).toEqual([400, 'attachments.0.path'])
    expect(await refused({ path: 'src/a.ts', lines: 'all' })).toEqual([400, 'attachments.0.lines'])
    expect(await refused({ name: 'raw', text: 'a\0b' })).toEqual([400, 'attachments.0.text'])
    expect(await refused({ name: 'big', text: 'x'.repeat(300_000) })).toEqual([413, 'attachments'])
  })

  it('[RD15] reach every turn of a session', async () => {
    const room = await openRoom(answers)
    const asked = recordPrompts(room.served)
    await room.ask({
      text: 'Review',
      mode: 'collaborate',
      participants: ['gpt', 'claude'],
      attachments: [{ name: 'change.diff', text: '+ one' }],
    })
    expect(asked[0]!.prompt).toContain('Review\n\n--- attached: change.diff, 1 line ---\n+ one\n--- end')
  })
})
