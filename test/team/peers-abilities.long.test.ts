/** Peers can do what the agents of any room can: models behind the emulator, each in its own process and its own clone. */
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Emulator, listen, models, secretKey } from '../agents/emulator.ts'
import { gitProject } from '../support/git-project.ts'
import { openPeersRoom, type PeersRoom, unhurried, untilOver } from './peers-room.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'

const provider = 'openai-compatible'
const emulator = new Emulator()
let database: RunningPostgres
beforeAll(async () => {
  database = await startPostgres()
  await emulator.start()
})
afterAll(async () => {
  await emulator.stop()
  await database?.stop()
})

const files = {
  'package.json': JSON.stringify({ name: 'till', description: 'Adds up a shopping basket.' }),
  'src/price.ts': '/** Prices in cents. */\nexport const limit = 4711\n',
}

const asksForProposal = 'so that a rule can decide who answers'

interface Sent {
  messages: { role: string; content: unknown }[]
}

/** gpt is the surer one; it reads a file before it answers. */
function playBoth(): void {
  const says = (words: string) => (request: unknown) => JSON.stringify((request as Sent).messages).includes(words)
  const lastRole = (request: unknown) => (request as Sent).messages.at(-1)!.role
  const { mock } = emulator
  emulator.sent.length = 0
  mock.clearFixtures()
  for (const [name, confidence] of [
    ['gpt', 0.9],
    ['claude', 0.2],
  ] as const) {
    const proposal = { angle: `${name} on prices`, confidence, covers: ['prices'], solo_sufficient: true }
    const predicate = (request: unknown) => says(asksForProposal)(request) && says(`Your name is ${name}.`)(request)
    mock.on({ predicate }, { content: JSON.stringify(proposal) })
  }
  mock.on({ predicate: says('Write the summary that they will read') }, { content: 'The limit is 4711 cents.' })
  mock.on(
    { predicate: (request) => says('What is the limit?')(request) && lastRole(request) === 'user' },
    { toolCalls: [{ name: 'read', arguments: JSON.stringify({ path: 'src/price.ts' }), id: 'call_1' }] },
  )
  mock.on({ predicate: () => true }, { content: 'It is 4711.' })
}

function join(room: PeersRoom, name: string, base_url = emulator.baseUrl(provider)) {
  const agent = { provider, model: models[provider], base_url, api_key_env: 'OWN_KEY', retries: 0 }
  const env = { OWN_KEY: `${secretKey}-${name}` }
  return room.peer(name, '', { agent: JSON.stringify(agent), env, folder: gitProject(files) })
}

/** What a peer's own key paid for, as text. */
function promptsOf(name: string): string[] {
  const own = emulator.sent.filter(({ headers }) => headers.authorization === `Bearer ${secretKey}-${name}`)
  return own.map(({ body }) => JSON.stringify(body.messages))
}

describe('peers with models', () => {
  it('[RD4] [RD9] [RD14] [RD15] [RD17] [PR7] propose with topics, register and history, read the project and attachments, and summarise', async () => {
    const room = await openPeersRoom(database.url, ['claude', 'gpt'], {
      ...unhurried,
      yaml: '  talk: { window_items: 4 }\n',
    })
    playBoth()
    await join(room, 'gpt')
    await join(room, 'claude')
    const attachments = [{ name: 'note.txt', text: 'the currency is the guilder' }]
    const first = await room.post('What is the limit?', { attachments })
    await untilOver(room, first)
    expect((await room.replies(first)).map(({ data }) => [data.agent, data.text])).toEqual([['gpt', 'It is 4711.']])
    const used = (await room.events(first)).filter(({ type }) => type === 'tool.used')
    expect(used.map(({ data }) => [data.agent, data.tool, data.ok])).toEqual([['gpt', 'read', true]])
    const answering = promptsOf('gpt').find((prompt) => !prompt.includes(asksForProposal))!
    expect(answering).toContain('Adds up a shopping basket.')
    expect(answering).toContain('the currency is the guilder')
    expect(promptsOf('gpt').join()).toContain('2\\texport const limit = 4711')

    const second = await room.post('Should the price list round the limit up?')
    await untilOver(room, second)
    const proposing = promptsOf('claude').findLast((prompt) =>
      prompt.includes('Your name is claude. You are in a room'),
    )!
    expect(proposing).toContain('Topics in the message: price, limit')
    expect(proposing).toContain('- last to answer: gpt')
    expect(proposing).toMatch(/The last rounds:\\nSOLO: gpt \(\w+\)/)
    expect(proposing).toContain('The project in short')
    // Each peer asks its own agent alone, with its own key.
    expect(promptsOf('claude').every((prompt) => prompt.includes('Your name is claude.'))).toBe(true)

    const third = await room.post('Should the receipt show the limit?')
    await untilOver(room, third)
    const summary = async () => (await room.events()).filter(({ type }) => type === 'room.summarised')
    await expect.poll(summary).toMatchObject([{ data: { agent: 'gpt', text: 'The limit is 4711 cents.' } }])
    await untilOver(room, await room.post('Should the basket warn above the limit?'))
    expect(promptsOf('gpt').at(-1)).toContain('The limit is 4711 cents.')
  })

  it('[DP9] let the wording decide without proposals, and tell those who are called together of each other', async () => {
    const room = await openPeersRoom(database.url, ['claude', 'gpt'], unhurried)
    playBoth()
    await join(room, 'gpt')
    await join(room, 'claude')
    const all = await room.post('Each of you: name one risk of the parser.')
    await untilOver(room, all)
    const types = await room.types(all)
    expect(types).not.toContain('proposal.posted')
    expect((await room.replies(all)).map(({ data }) => data.agent).sort()).toEqual(['claude', 'gpt'])
    const named = await room.post('@gpt @claude and one chance each')
    await untilOver(room, named)
    const [last] = (await room.transcript()).filter(({ sender }) => sender === 'router')
    expect([last, (await room.replies(named)).map(({ data }) => data.agent).sort()]).toEqual([
      undefined,
      ['claude', 'gpt'],
    ])
    expect(promptsOf('claude').at(-1)).toContain('called you and gpt by name')
  })

  it('[AS3] [PR1] do not wait for one whose key is refused, and answer in its place', async () => {
    const room = await openPeersRoom(database.url, ['claude', 'gpt'], unhurried)
    playBoth()
    const refusing = createServer((_, response) => {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"invalid api key"}}')
    })
    const url = await listen(refusing)
    onTestFinished(() => void refusing.close())
    const gpt = await room.peer('gpt', '', {
      agent: JSON.stringify({ provider, model: 'x', base_url: `${url}/v1`, api_key_env: 'OWN_KEY' }),
      env: { OWN_KEY: 'sk-wrong' },
    })
    await join(room, 'claude')
    const message = await room.post('What should the parser do?')
    await untilOver(room, message)
    const resolved = (await room.events(message)).find(({ type }) => type === 'round.resolved')!
    expect(resolved.data).toMatchObject({ rule: 'only', responders: ['claude'], missing: [{ agent: 'gpt' }] })
    expect(resolved.data).not.toHaveProperty('flags')
    expect(gpt.lines()).toContainEqual(
      expect.objectContaining({
        event: 'proposed',
        failed: expect.any(String),
        why: expect.stringContaining('OWN_KEY'),
      }),
    )
    const all = await room.post('Each of you: name one risk of the parser.')
    await untilOver(room, all)
    expect((await room.replies(all)).map(({ data }) => data.agent)).toEqual(['claude'])
    expect((await room.transcript()).at(-1)!.text).toMatch(/^gpt could not answer: .*OWN_KEY/)
    const called = await room.post('@gpt and you?')
    await untilOver(room, called)
    const { result } = await room.server.call<{ result: object }>('GET', `/api/runs/message-${called}`)
    expect([result, await room.replies(called)]).toEqual([{ reason: 'configuration_fault' }, []])
  })
})
