/** Agents in a room read the project: models behind the emulator that call tools, over HTTP. RD14. */
import { appendFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadProvider } from '../../src/agents/models/providers.ts'
import { Emulator, models, secretKey } from '../agents/emulator.ts'
import { type ScriptedStep, script, toolAnswers } from '../agents/tool-loop-script.ts'
import { temporaryFolder } from '../support/convene.ts'
import { commitFiles, git, gitProject, writeAll } from '../support/git-project.ts'
import { listen, type Received, type Served, serve } from '../support/server.ts'

const provider = 'openai-compatible'
const emulator = new Emulator()
beforeAll(async () => {
  await emulator.start()
  await Promise.all([import('ai'), loadProvider(provider)])
})
afterAll(() => emulator.stop())

const files = {
  'package.json': JSON.stringify({ name: 'till', description: 'Adds up a shopping basket.' }),
  'src/price.ts':
    '/** Prices in cents. */\nexport const limit = 4711\nexport function total(items: number[]): number {\n  return items.length\n}\n',
  'test/price.test.ts': "import { total } from '../src/price.ts'\n",
}
// Too large to be inlined with the budget that the tests set.
const large = { ...files, 'src/long.ts': `export const long = [\n${'  "a line of no interest",\n'.repeat(400)}]\n` }

describe('agents in a room', () => {
  it('[RD14] thanks are answered without the map and without tools', async () => {
    const room = await openRoom(gitProject(large), 'source: { map_tokens: 800 }')
    await room.say('thanks, that helps!', [{ text: 'You are welcome.' }])
    const { messages, tools } = emulator.sent[0]!.body as { messages: unknown[]; tools?: unknown[] }
    expect(JSON.stringify(messages)).not.toContain('src/price.ts')
    expect(tools ?? []).toEqual([])
  })

  it('[RD14] start with the map, read a file of the last commit and answer from it', async () => {
    const folder = gitProject(large)
    // Neither of these is in the last commit.
    writeAll(folder, { 'src/price.ts': 'export const limit = 1\n', 'src/new.ts': 'export const unborn = 1\n' })
    const room = await openRoom(folder, 'source: { map_tokens: 800 }')
    const { reply, tools, deltas, transcript } = await room.say('What is the limit?', [
      { text: 'I look at the file.', calls: [['read', { path: 'src/price.ts', from: 1, lines: 3 }]] },
      {
        calls: [
          ['search', { pattern: 'total\\(', path: 'src/price.ts' }],
          ['list', {}],
        ],
      },
      { text: 'It is 4711, in src/price.ts:2.' },
    ])
    // What streamed is what is kept, also around tool calls.
    expect(reply).toBe('I look at the file.\n\nIt is 4711, in src/price.ts:2.')
    expect(deltas).toBe(reply)
    expect(transcript.filter(({ type }) => type === 'agent_response')).toHaveLength(1)
    const [system] = emulator.sent[0]!.body.messages as { role: string; content: string }[]
    expect(system!.role).toBe('system')
    expect(system!.content).toContain('Adds up a shopping basket.')
    expect(system!.content).toContain('- src/price.ts: Prices in cents. [limit: number; total(number[]): number]')
    expect(system!.content).not.toMatch(/unborn|new\.ts/)
    const [read, search, list] = toolAnswers(provider, emulator.sent[2]!.body)
    expect(read!.text).toBe(
      '1\t/** Prices in cents. */\n2\texport const limit = 4711\n3\texport function total(items: number[]): number {\n[lines 1 to 3 of 5]',
    )
    expect(search!.text).toBe('src/price.ts:3: export function total(items: number[]): number {')
    expect(list!.text).toContain('src/\nsrc/long.ts')
    expect(list!.text).not.toContain('new.ts')
    // Calls of one reply run at the same time.
    expect(tools.map(({ tool, ok, summary }) => [tool, ok, summary]).sort()).toEqual([
      ['list', true, 'list .'],
      ['read', true, 'read src/price.ts from line 1, 3 lines'],
      ['search', true, 'search total\\( in src/price.ts'],
    ])
    expect(tools[0]).toMatchObject({ agent: 'model', file: 'src/price.ts' })
  })

  it('[RD14] get the whole source of a small project, and the new one after a commit', async () => {
    const folder = gitProject(files)
    const room = await openRoom(folder)
    await room.say('What is the limit?', [{ text: '4711' }])
    expect(systemText(0)).toContain('### src/price.ts\n```\n/** Prices in cents. */\nexport const limit = 4711')
    commitFiles(folder, { 'src/price.ts': 'export const limit = 42\n' }, 'Lower the limit')
    await room.say('And now?', [{ text: '42' }])
    expect(systemText(0)).toContain('export const limit = 42')
    expect(systemText(0)).not.toContain('4711')
  })

  it('[RD14] [VF6] are refused every path out of the tree, and go on with a clear error', async () => {
    const folder = gitProject(files)
    symlinkSync('/etc', join(folder, 'outside'))
    symlinkSync('src', join(folder, 'inside'))
    writeAll(folder, { '.convene/kept.txt': 'state', 'blob.bin': 'a\0b' })
    git(folder, 'add', '-f', '-A')
    commitFiles(folder, {}, 'Add links')
    const room = await openRoom(folder)
    const paths = [
      '../secret',
      '/etc/passwd',
      '.git/config',
      '.convene/kept.txt',
      'outside/passwd',
      'blob.bin',
      'src',
      'gone.ts',
      'inside/price.ts',
    ]
    await room.say('Look around', [{ calls: paths.map((path) => ['read', { path }]) }, { text: 'done' }])
    expect(toolAnswers(provider, emulator.sent[1]!.body).map(({ text }) => text.split('\n')[0])).toEqual([
      'error: the path "../secret" has a .. segment',
      'error: the path "/etc/passwd" is absolute',
      'error: the path ".git/config" leads into a .git folder',
      'error: the path ".convene/kept.txt" leads into a folder that agents may not read',
      'error: the path "outside/passwd" leads out of the project through a link',
      'error: "blob.bin" is a binary file (3 bytes)',
      'error: "src" is a folder; use list',
      'error: "gone.ts" does not exist in the last commit; use list or search to find it',
      '1\t/** Prices in cents. */',
    ])
  })

  it('[RD14] see no secret, in a file, in a search, in a diff or on the map', async () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0\n'.repeat(3)}-----END PRIVATE KEY-----\n`
    const folder = gitProject(files)
    commitFiles(
      folder,
      { 'src/key.ts': `export const token = '${secretKey}'\nexport const pem = \`${key}\`\n` },
      'Add keys',
    )
    const room = await openRoom(folder)
    await room.say('Any keys?', [
      {
        calls: [
          ['read', { path: 'src/key.ts' }],
          ['search', { pattern: 'MIIEvQ|sk-test' }],
          ['diff', { from: 'HEAD~1' }],
          ['blame', { path: 'src/key.ts' }],
        ],
      },
      { text: 'none' },
    ])
    const answers = toolAnswers(provider, emulator.sent[1]!.body)
    expect(answers).toHaveLength(4)
    for (const { text } of [...answers, { text: systemText(0) }]) {
      expect(text).toContain('redacted')
      expect(text).not.toContain(secretKey)
      expect(text).not.toContain('MIIEvQ')
    }
  })

  it('[RD14] read history: log, diff, blame and symbols, confined to what leads to HEAD', async () => {
    const folder = gitProject(files)
    git(folder, 'branch', 'elsewhere')
    git(folder, 'switch', '--quiet', 'elsewhere')
    commitFiles(folder, { 'hidden.ts': 'export {}\n' }, 'Not merged')
    git(folder, 'switch', '--quiet', 'main')
    const message = 'Lower the limit\n\nThe old one was never reached.\n\nSigned-off-by: Ada <ada@example.org>'
    commitFiles(folder, { 'src/price.ts': 'export const limit = 42\n' }, message)
    const room = await openRoom(folder)
    await room.say('What changed?', [
      {
        calls: [
          ['log', { path: 'src' }],
          ['diff', { from: 'HEAD~1', path: 'src/price.ts' }],
          ['blame', { path: 'src/price.ts' }],
          ['symbols', { path: 'src' }],
          ['diff', { from: 'elsewhere' }],
          ['diff', { from: '--output=/tmp/x' }],
          ['log', { path: '../..' }],
        ],
      },
      { text: 'the limit' },
    ])
    const [log, diff, blame, symbols, ...refused] = toolAnswers(provider, emulator.sent[1]!.body).map(
      ({ text }) => text,
    )
    expect(log).toMatch(
      /^[0-9a-f]{7,} \d{4}-\d\d-\d\d Ada: Lower the limit\n {4}The old one was never reached\.\n[0-9a-f]{7,} .* Ada: Start$/,
    )
    expect(diff).toMatch(/^[0-9a-f]{7,} \d{4}-\d\d-\d\d Ada: Lower the limit\n {4}The old one was never reached\.\n\n/)
    expect(diff).toContain('-export const limit = 4711\n')
    expect(diff).toContain('+export const limit = 42')
    expect(blame).toMatch(/^1\t[0-9a-f]{8} \d{4}-\d\d-\d\d Ada: Lower the limit\texport const limit = 42$/)
    expect(symbols).toBe('src/price.ts\n  1\tconstant\tlimit: number')
    expect(refused).toEqual([
      'error: the commit "elsewhere" is not in the history of HEAD',
      'error: there is no commit "--output=/tmp/x"',
      'error: the path "../.." has a .. segment',
    ])
  })

  it('[RD14] take turns with tools: only the message of the envelope streams', async () => {
    const room = await openRoom(gitProject(files))
    const envelope = { message: 'The limit is 4711.', final: true }
    const { reply, deltas, tools } = await room.say(
      'Find the limit',
      [
        { text: 'Let me look.', calls: [['read', { path: 'src/price.ts' }]] },
        { text: 'Now I know.', calls: [['finish', envelope]] },
      ],
      { mode: 'collaborate', participants: ['model'], target: 'model' },
    )
    expect(reply).toBe('The limit is 4711.')
    expect(deltas).toBe(reply)
    expect(tools.map(({ summary }) => summary)).toEqual(['read src/price.ts'])
    expect(systemText(0)).toContain('export const limit = 4711')
  })

  it('[RD14] answer within the steps they have: the last reply has no tools', async () => {
    const room = await openRoom(gitProject(files), 'source: { max_steps: 3 }')
    const look: ScriptedStep = { calls: [['list', {}]] }
    const { reply } = await room.say('Look and answer', [look, look, { text: 'That is all.' }])
    expect(reply).toBe('That is all.')
    expect(emulator.sent.map(({ body }) => body.tool_choice)).toEqual(['auto', 'auto', 'none'])
  })

  it('[AM1] [AM4] write to each other with the tool tell, at most three times per answer', async () => {
    const heard = '- { when: { ask: agent-message }, repeat: true, text: Noted. }\n'
    const ada = { ada: { provider: 'rehearsal', script: 'script.yaml' } }
    const room = await openRoom(gitProject({ ...files, 'script.yaml': heard }), '', ada)
    const tell = (content: string, to = 'ada'): [string, object] => ['tell', { to, content }]
    const { reply, tools } = await room.say(
      'What is the limit?',
      [
        { calls: [tell('The limit is 4711.'), tell('hello', 'nobody'), tell('two'), tell('three'), tell('four')] },
        { text: '4711' },
      ],
      { target: 'model' },
    )
    expect(reply).toBe('4711')
    expect(tools.map(({ summary, ok }) => [summary, ok])).toContainEqual(['tell ada (inform)', true])
    const answers = toolAnswers(provider, emulator.sent[1]!.body).map(({ text }) => text)
    expect(answers.filter((text) => text === 'Sent to ada. It is delivered after this round.')).toHaveLength(3)
    expect(answers).toContain("error: there is no agent 'nobody'; the others are ada")
    expect(answers).toContain('error: you have sent 3 messages, which is the limit for one answer')
    const sent = async () =>
      (await room.served.app.store.read({ types: ['agent-message.sent'] })).map(({ data }) => data)
    await expect.poll(sent).toHaveLength(3)
    expect(await sent()).toContainEqual(
      expect.objectContaining({ from: 'model', to: 'ada', kind: 'inform', content: 'The limit is 4711.', depth: 1 }),
    )
    await expect.poll(() => room.served.app.store.read({ types: ['agent-message.delivered'] })).toHaveLength(3)
  })

  it('[RD16] read with the tool earlier what they were not shown', async () => {
    const room = await openRoom(gitProject(files), 'room: { talk: { window_items: 2, summary: "off" } }')
    await room.say('The deadline is Friday.', [{ text: 'Noted.' }])
    await room.say('And the colour is green.', [{ text: 'Noted too.' }])
    expect(JSON.stringify(emulator.sent[0]!.body.tools)).not.toContain('"earlier"')
    const { reply } = await room.say('When is the deadline?', [
      { calls: [['earlier', { search: 'deadline' }]] },
      { text: 'On Friday.' },
    ])
    expect(reply).toBe('On Friday.')
    expect(JSON.stringify(emulator.sent[0]!.body.messages)).toContain('2 messages earlier in this room are not shown.')
    expect(JSON.stringify(emulator.sent[0]!.body.messages)).toContain('The tool \\"earlier\\" reads any of them.')
    expect(toolAnswers(provider, emulator.sent[1]!.body)[0]!.text).toBe('#1 [you] The deadline is Friday.')
  })

  it('[TN7] [RD16] see as much of the talk in a session as in an answer, and have the tool for the rest', async () => {
    const room = await openRoom(gitProject(files), 'room: { talk: { window_items: 12, summary: "off" } }')
    for (const number of [1, 2, 3, 4, 5, 6, 7]) await room.say(`Fact ${number}.`, [{ text: 'Noted.' }])
    const final = { text: JSON.stringify({ message: 'Done.', final: true }) }
    await room.say('Sum up', [final], { mode: 'collaborate', participants: ['model'] })
    const { messages, tools } = emulator.sent[0]!.body
    const asked = JSON.stringify(messages)
    expect(asked).toContain('Fact 2.')
    expect(asked).not.toContain('Fact 1.')
    expect(asked).toContain('2 messages earlier in this room are not shown.')
    expect(JSON.stringify(tools)).toContain('"earlier"')
  })

  it('[RD15] are told which attached file differs from the commit that their tools read', async () => {
    const folder = gitProject(files)
    const room = await openRoom(folder)
    const [path] = Object.keys(files)
    await room.say(`See @${path}`, [{ text: 'Seen.' }])
    expect(JSON.stringify(emulator.sent[0]!.body.messages)).not.toContain('with uncommitted changes')
    appendFileSync(join(folder, path!), '\n// more\n')
    await room.say(`See @${path}`, [{ text: 'Seen.' }])
    expect(JSON.stringify(emulator.sent[0]!.body.messages)).toContain('with uncommitted changes ---')
  })

  it('[RD14] with room.tools off get neither map nor tools', async () => {
    const room = await openRoom(gitProject(files), 'room: { tools: "off" }')
    const { reply } = await room.say('What is the limit?', [{ text: 'I cannot see it.' }])
    expect(reply).toBe('I cannot see it.')
    expect(emulator.sent[0]!.body.tools).toBeUndefined()
    expect(JSON.stringify(emulator.sent[0]!.body)).not.toContain('4711')
  })

  it('[RD14] without a repository answer without tools, and the room is told once', async () => {
    const room = await openRoom(temporaryFolder({ 'price.ts': 'export const limit = 4711\n' }))
    await room.say('What is the limit?', [{ text: 'I cannot see it.' }])
    const { reply, transcript } = await room.say('Again?', [{ text: 'Still not.' }])
    expect(reply).toBe('Still not.')
    expect(emulator.sent[0]!.body.tools).toBeUndefined()
    const notices = transcript.filter(({ sender }) => sender === 'router').map(({ text }) => text)
    expect(notices).toEqual([expect.stringMatching(/^The agents cannot see your code: .* is not in a git repository/)])
  })
})

function systemText(request: number): string {
  return (emulator.sent[request]!.body.messages as { content: string }[])[0]!.content
}

async function openRoom(folder: string, more = '', others = {}) {
  const agent = {
    provider,
    model: models[provider],
    base_url: emulator.baseUrl(provider),
    api_key_env: 'LIVE_KEY',
    retries: 0,
  }
  writeAll(folder, { 'convene.yaml': `agents: ${JSON.stringify({ model: agent, ...others })}\n${more}\n` })
  const served = await serve({}, { folder, env: { LIVE_KEY: secretKey } })
  const { id } = (await served.call('POST', '/api/rooms', {})).body as { id: string }
  return { served, say: (text: string, steps: ScriptedStep[], how = {}) => say(served, id, { text, ...how }, steps) }
}

interface Line {
  type: string
  sender: string
  text: string
}

async function say(served: Served, room: string, message: object, steps: ScriptedStep[]) {
  script(emulator, provider, steps)
  const since = await served.app.store.lastSeq()
  const heard = listen(served, `?stream=room:${room}&after=${since}`, isAnswered)
  await served.call('POST', `/api/rooms/${room}/messages`, message)
  const { events, deltas } = await heard
  const posted = events.find(({ type }) => type === 'reply.posted')!.data as { text: string }
  const transcript = (await served.call('GET', `/api/rooms/${room}/transcript`)).body as Line[]
  return {
    reply: posted.text,
    tools: events.filter(({ type }) => type === 'tool.used').map(({ data }) => data as Record<string, unknown>),
    deltas: deltas.map((delta) => delta.text).join(''),
    transcript: Array.isArray(transcript) ? transcript : (transcript as { items: Line[] }).items,
  }
}

function isAnswered({ events }: Received): boolean {
  return events.some(({ type }) => type === 'reply.posted')
}
