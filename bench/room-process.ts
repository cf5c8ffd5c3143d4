/** One contender under one load, in a separate process: `room-process.ts <contender> <load> <folder>` prints JSON. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { type ClientRequest, get } from 'node:http'
import { createApp } from '../src/app.ts'
import { loadConfig } from '../src/kernel/config/load.ts'
import { startServer } from '../src/serve/server.ts'
import {
  agentMilliseconds,
  arrivals,
  burst,
  quickMilliseconds,
  type RoomLoad,
  strongMilliseconds,
} from './room-load.ts'

export const rooms = 2000
const question = 'Which database should we use for the orders?'

const firstTokenRounds = 11

const script = `
- when: { ask: micro-proposal, agent: gpt }
  repeat: true
  after_ms: ${agentMilliseconds}
  reply: { angle: schema design, confidence: 0.95, covers: [tables] }
- when: { ask: micro-proposal, agent: claude }
  repeat: true
  after_ms: ${agentMilliseconds}
  reply: { angle: running cost, confidence: 0.55, covers: [price] }
- when: { ask: answer }
  repeat: true
  after_ms: ${agentMilliseconds}
  text: Use the one you already run, and give the orders a table of their own.
`

const [contender, kind, folder] = process.argv.slice(2) as [string, string, string]
mkdirSync(folder, { recursive: true })
if (kind === 'listeners') console.log(JSON.stringify(await listeners()))
else if (kind === 'first-token') console.log(JSON.stringify(await firstTokens()))
else {
  const load = contender === 'convene' ? await convene() : await langGraph()
  const result = kind === 'burst' ? await burst(load) : await arrivals(load, 500, Number(kind))
  console.log(JSON.stringify(result))
}
process.exit(0)

async function openApp() {
  writeFileSync(
    `${folder}/convene.yaml`,
    'agents:\n  gpt: { provider: rehearsal, script: script.yaml }\n  claude: { provider: rehearsal, script: script.yaml }\n',
  )
  writeFileSync(`${folder}/script.yaml`, script)
  return createApp(loadConfig({ folder, env: {} }), {})
}

/** Milliseconds from sending a message to the first token of an answer: a plain call, and rounds that decide first. */
async function firstTokens(): Promise<Record<'plain' | 'proposer' | 'wording', number>> {
  writeFileSync(
    `${folder}/convene.yaml`,
    `agents:
  gpt: { provider: rehearsal, script: script.yaml }
  claude: { provider: rehearsal, script: script.yaml }
  quick: { provider: rehearsal, script: script.yaml, helper: true }
roles: { proposer: quick }
`,
  )
  writeFileSync(
    `${folder}/script.yaml`,
    `
- when: { ask: micro-proposal, agent: quick }
  repeat: true
  after_ms: ${quickMilliseconds}
  reply: { angle: schema design, confidence: 0.9, covers: [tables], solo_sufficient: true }
- when: { ask: answer }
  repeat: true
  after_ms: ${strongMilliseconds}
  text: Use the one you already run, and give the orders a table of their own.
`,
  )
  const app = await createApp(loadConfig({ folder, env: {} }), {})
  const { id } = await app.rooms.create({ name: 'first tokens' })
  const first = async (request: { text: string; mode?: 'single'; target?: string }) => {
    const times: number[] = []
    for (let round = 0; round < firstTokenRounds; round++) {
      const sent = performance.now()
      const heard = new Promise<number>((resolve) => {
        const stop = app.deltas.subscribe((_, { text }) => {
          if (text === '') return
          stop()
          resolve(performance.now() - sent)
        })
      })
      const { run } = await app.rooms.post(id, request)
      times.push(await heard)
      await app.engine.result(run)
    }
    return times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!
  }
  const found = {
    plain: await first({ text: question, mode: 'single', target: 'gpt' }),
    proposer: await first({ text: question }),
    wording: await first({ text: `gpt: ${question}` }),
  }
  await app.close()
  return found
}

async function convene(): Promise<RoomLoad> {
  const app = await openApp()
  const made = await Promise.all(
    Array.from({ length: rooms }, (_, number) => app.rooms.create({ name: `room ${number}` })),
  )
  return {
    rooms,
    async round(room) {
      const { run } = await app.rooms.post(made[room]!.id, { text: question })
      await app.engine.result(run)
    },
    close: () => app.close(),
  }
}

/** The same work as a graph: two concurrent proposals, a decision, an answer; the room is the thread. */
async function langGraph(): Promise<RoomLoad> {
  const { Annotation, END, START, StateGraph } = await import('@langchain/langgraph')
  const { SqliteSaver } = await import('@langchain/langgraph-checkpoint-sqlite')
  const { dispatch } = await import('../src/rules/room/dispatch.ts')
  const checkpointer = SqliteSaver.fromConnString(`${folder}/langgraph.db`)
  await checkpointer.getTuple({ configurable: { thread_id: 'none' } })
  checkpointer.db.pragma('synchronous = FULL')
  const agent = <Value>(value: Value) =>
    new Promise<Value>((resolve) => setTimeout(() => resolve(value), agentMilliseconds))
  type Proposal = { angle: string; confidence: number; covers: string[] }
  const State = Annotation.Root({
    text: Annotation<string>(),
    gpt: Annotation<Proposal>(),
    claude: Annotation<Proposal>(),
    winner: Annotation<string>(),
    answer: Annotation<string>(),
  })
  const graph = new StateGraph(State)
    .addNode('propose-gpt', async () => ({
      gpt: await agent({ angle: 'schema design', confidence: 0.95, covers: ['tables'] }),
    }))
    .addNode('propose-claude', async () => ({
      claude: await agent({ angle: 'running cost', confidence: 0.55, covers: ['price'] }),
    }))
    .addNode('decide', ({ gpt, claude }) => ({ winner: dispatch({ gpt, claude }).winner }))
    .addNode('reply', async () => ({
      answer: await agent('Use the one you already run, and give the orders a table of their own.'),
    }))
    .addEdge(START, 'propose-gpt')
    .addEdge(START, 'propose-claude')
    .addEdge(['propose-gpt', 'propose-claude'], 'decide')
    .addEdge('decide', 'reply')
    .addEdge('reply', END)
    .compile({ checkpointer })
  let messages = 0
  return {
    rooms,
    async round(room) {
      await graph.invoke(
        { text: question },
        { configurable: { thread_id: `${room}-${messages++}` }, durability: 'sync' },
      )
    },
    close: async () => {
      checkpointer.db.close()
    },
  }
}

/** A thousand pages open on the same log while rounds are played. */
async function listeners() {
  const app = await openApp()
  const server = await startServer(app, { port: 0, version: 'bench', env: {} })
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, number) => app.rooms.create({ name: `room ${number}` })),
  )
  const after = await app.store.lastSeq()
  const heard = new Array<number>(1000).fill(0)
  const connections = await Promise.all(heard.map((_, index) => listen(server, after, () => heard[index]!++)))
  const start = performance.now()
  const posted = await Promise.all(made.map(({ id }) => app.rooms.post(id, { text: question })))
  await Promise.all(posted.map(({ run }) => app.engine.result(run)))
  const events = (await app.store.lastSeq()) - after
  const deadline = performance.now() + 20_000
  while (heard.some((count) => count < events) && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 20))
  const milliseconds = performance.now() - start
  const complete = heard.filter((count) => count === events).length
  for (const connection of connections) connection.destroy()
  return { listeners: heard.length, events, complete, milliseconds }
}

/** Counts events without parsing them: the bench should not measure the listener. */
function listen(server: { url: string; token: string }, after: number, onEvent: () => void): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.token}`, accept: 'text/event-stream' }
    const connection = get(`${server.url}/api/events?after=${after}`, { headers, agent: false }, (response) => {
      let end = ''
      response.setEncoding('latin1')
      response.on('data', (chunk: string) => {
        const text = end + chunk
        for (let at = text.indexOf('\nid: '); at >= 0; at = text.indexOf('\nid: ', at + 1)) onEvent()
        end = text.slice(-4)
      })
      response.on('error', () => {})
      resolve(connection)
    })
    connection.on('error', reject)
  })
}
