/**
 * A coding agent that plays a script over the agent client protocol, written without the SDK. Its only argument is a JSON
 * file: `{start?, prompts: [{contains, once?, do: [action]}], log?}`. Every message it receives is added to `log`.
 */
import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const file = process.argv[2]
const read = () => JSON.parse(readFileSync(file, 'utf8'))
const { start = {} } = read()
const sessions = new Map()
const pending = new Map()
const cancelled = new Set()
const used = new Set()
let ids = 0

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
const ask = (method, params) =>
  new Promise((done) => {
    const id = `a${++ids}`
    pending.set(id, done)
    send({ id, method, params })
  })

for (const line of start.garbage ?? []) process.stdout.write(`${line}\n`)
if (start.stderr) process.stderr.write(`${start.stderr}\n`)
if (start.exitCode !== undefined) process.exit(start.exitCode)

createInterface({ input: process.stdin }).on('line', async (line) => {
  const message = JSON.parse(line)
  const { log } = read()
  if (log) appendFileSync(log, `${line}\n`)
  if (message.method === undefined) {
    pending.get(message.id)?.(message)
    return
  }
  const handler = handlers[message.method]
  if (!handler) {
    if (message.id !== undefined) send({ id: message.id, error: { code: -32601, message: 'no such method' } })
    return
  }
  const answer = await handler(message.params)
  if (message.id === undefined || answer === undefined) return
  send(answer.error ? { id: message.id, error: answer.error } : { id: message.id, result: answer })
})
process.stdin.on('end', () => {
  if (!start.outlivesInput) process.exit(0)
})
if (start.ignoresSignals) process.on('SIGTERM', () => {})

const handlers = {
  initialize: () => {
    if (start.neverInitialises) return undefined
    if (start.initializeError) return { error: start.initializeError }
    return {
      protocolVersion: start.protocolVersion ?? 1,
      agentInfo: start.agentInfo ?? { name: 'fake', version: '1.0.0' },
      agentCapabilities: start.capabilities ?? {},
      authMethods: [],
    }
  },
  'session/new': ({ cwd, mcpServers }) => {
    if (start.diesInSession) process.kill(process.pid, 'SIGKILL')
    if (start.newSessionError) return { error: start.newSessionError }
    const sessionId = `s${process.pid}-${sessions.size + 1}`
    sessions.set(sessionId, { cwd, mcpServers, turns: 0 })
    return { sessionId, ...start.session }
  },
  'session/fork': ({ sessionId: from, cwd, mcpServers }) => {
    const sessionId = `${from}-fork${sessions.size + 1}`
    sessions.set(sessionId, { cwd, mcpServers, turns: sessions.get(from)?.turns ?? 0 })
    return { sessionId }
  },
  'session/load': ({ sessionId, cwd, mcpServers }) => {
    sessions.set(sessionId, { cwd, mcpServers, turns: 1 })
    update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'an old word' } })
    return {}
  },
  'session/close': () => ({}),
  'session/set_title': () => ({}),
  'session/set_mode': () => ({}),
  'session/set_config_option': () => ({ configOptions: [] }),
  'session/cancel': ({ sessionId }) => void cancelled.add(sessionId),
  'session/prompt': ({ sessionId, prompt }) => play(sessionId, prompt.map(({ text }) => text ?? '').join('')),
}

function update(sessionId, content) {
  send({ method: 'session/update', params: { sessionId, update: content } })
}

async function play(sessionId, text) {
  const session = sessions.get(sessionId)
  session.turns++
  cancelled.delete(sessionId)
  const { prompts } = read()
  const index = prompts.findIndex(({ contains, once }, at) => text.includes(contains) && !(once && used.has(at)))
  if (index === -1) return { error: { code: -32603, message: `the script has no line for: ${text.slice(-300)}` } }
  used.add(index)
  const turn = { stopReason: 'end_turn' }
  for (const action of prompts[index].do) {
    if (cancelled.has(sessionId) && !start.ignoresCancel) return { stopReason: 'cancelled' }
    await act(action, sessionId, session, turn)
    if (turn.error) return { error: turn.error }
  }
  if (cancelled.has(sessionId) && !start.ignoresCancel) return { stopReason: 'cancelled' }
  return turn
}

const text = (value) => ({ type: 'text', text: value })

async function act(action, sessionId, session, turn) {
  const say = (value) => update(sessionId, { sessionUpdate: 'agent_message_chunk', content: text(value) })
  if (action.say !== undefined) {
    const pieces = action.slowly ? action.say.match(/[\s\S]{1,5}/gu) : [action.say]
    for (const piece of pieces) {
      if (action.slowly) await sleep(action.slowly)
      if (cancelled.has(sessionId) && !start.ignoresCancel) return
      say(piece)
    }
  }
  if (action.together) {
    const said = action.together.map((piece) => ({ sessionUpdate: 'agent_message_chunk', content: text(piece) }))
    const lines = said.map((content) => ({
      jsonrpc: '2.0',
      method: 'session/update',
      params: { sessionId, update: content },
    }))
    process.stdout.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
  if (action.sayFile) say(readFileSync(resolve(session.cwd, action.sayFile), 'utf8'))
  if (action.sayTurn) say(`turn ${session.turns}`)
  if (action.think) update(sessionId, { sessionUpdate: 'agent_thought_chunk', content: text(action.think) })
  for (let n = 0; n < (action.thoughts ?? 0); n++)
    update(sessionId, { sessionUpdate: 'agent_thought_chunk', content: text(`thought ${n}`) })
  for (let n = 0; n < (action.tools ?? 0); n++)
    update(sessionId, { sessionUpdate: 'tool_call', toolCallId: `t${++ids}`, status: 'completed', title: 'again' })
  if (action.update) update(sessionId, action.update)
  if (action.tool) {
    const toolCallId = `t${++ids}`
    update(sessionId, { sessionUpdate: 'tool_call', toolCallId, status: 'in_progress', ...action.tool })
    if (action.takes) await sleep(action.takes)
    update(sessionId, { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' })
  }
  for (const [path, content] of Object.entries(action.write ?? {})) {
    mkdirSync(dirname(resolve(session.cwd, path)), { recursive: true })
    writeFileSync(resolve(session.cwd, path), content)
  }
  for (const path of action.remove ?? []) rmSync(resolve(session.cwd, path), { recursive: true, force: true })
  for (const [path, target] of Object.entries(action.link ?? {})) symlinkSync(target, resolve(session.cwd, path))
  if (action.clientWrite) {
    const { path, content } = action.clientWrite
    const answer = await ask('fs/write_text_file', { sessionId, path: resolve(session.cwd, path), content })
    say(answer.error ? `refused: ${answer.error.message}` : 'written')
  }
  if (action.clientRead) {
    const answer = await ask('fs/read_text_file', { sessionId, path: resolve(session.cwd, action.clientRead) })
    say(answer.error ? `refused: ${answer.error.message}` : answer.result.content)
  }
  if (action.permission) {
    const options = [
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ]
    const toolCall = { toolCallId: `t${++ids}`, status: 'pending', ...action.permission }
    const { result } = await ask('session/request_permission', { sessionId, toolCall, options })
    const isAllowed = result?.outcome?.optionId === 'yes'
    for (const next of (isAllowed ? action.ifAllowed : action.ifDenied) ?? []) await act(next, sessionId, session, turn)
  }
  if (action.exit !== undefined) {
    const answer = await callExitTool(session, action.exit)
    if (action.sayAnswer) say(answer)
  }
  if (action.env) writeFileSync(action.env, JSON.stringify(process.env))
  if (action.leaveRunning) {
    // A process of its own group, as an agent's shell is.
    const child = spawn('sleep', ['3600'], { detached: true, stdio: 'ignore' })
    child.unref()
    writeFileSync(action.leaveRunning, `${child.pid}`)
  }
  if (action.fetch) await fetch(action.fetch).catch(() => {})
  if (action.pid) writeFileSync(action.pid, `${process.pid}`)
  if (action.sleep) await sleep(action.sleep)
  while (action.hang && !(cancelled.has(sessionId) && !start.ignoresCancel)) await sleep(10)
  if (action.usage) turn.usage = action.usage
  if (action.stop) turn.stopReason = action.stop
  if (action.error) turn.error = action.error
  if (action.die !== undefined) process.exit(action.die)
}

/** Starts the session's MCP server and calls its tool, as an agent does. */
async function callExitTool(session, payload) {
  const [server] = session.mcpServers
  if (!server) return 'no server'
  const child = spawn(server.command, server.args, { stdio: ['pipe', 'pipe', 'ignore'] })
  child.stdin.on('error', () => {})
  const answers = new Map()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line)
    answers.get(message.id)?.(message.result ?? message.error)
  })
  const call = (id, method, params) =>
    new Promise((done) => {
      answers.set(id, done)
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  await call(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'fake', version: '1' },
  })
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
  const { tools } = await call(2, 'tools/list', {})
  const calling = call(3, 'tools/call', { name: tools[0].name, arguments: payload.arguments ?? payload })
  // Killed before it reads the answer.
  if (payload.dieWhileCalling) process.exit(1)
  const { content, isError } = await calling
  child.kill()
  return `${isError ? 'error' : 'ok'}: ${content[0].text}`
}
