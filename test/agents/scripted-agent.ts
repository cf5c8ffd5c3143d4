/** A coding agent that plays a script, in this process, and the calls to it. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type CodingAgentSettings, createCodingAgent } from '../../src/agents/acp/acp.ts'
import { type PoolSettings, ProcessPool } from '../../src/agents/acp/process-pool.ts'
import type { AgentMessage, AgentReply, AgentRequest, CallOptions } from '../../src/kernel/agent.ts'
import { type Action, type FakeScript, fakeCodingAgent } from '../support/fake-coding-agent.ts'

export const user = (content: string): AgentMessage => ({ role: 'user', content })

type Fake = ReturnType<typeof fakeCodingAgent>
export const methodsOf = (fake: Fake) => fake.received().map(({ method }) => method)
export const promptsTo = (fake: Fake) =>
  fake
    .received()
    .filter(({ method }) => method === 'session/prompt')
    .map(({ params }) => (params!.prompt as { text: string }[])[0]!.text)

export function openScripted(
  actions: Action[],
  start: FakeScript['start'] = {},
  settings: Partial<CodingAgentSettings> = {},
  pooled: PoolSettings = {},
) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'convene-acp-')))
  const workspace = realpathSync(mkdtempSync(join(folder, 'worktree-')))
  const placed = JSON.parse(JSON.stringify(actions).replaceAll('$folder', folder)) as Action[]
  const fake = fakeCodingAgent(folder, { start, prompts: [{ contains: '', do: placed }] })
  const pool = new ProcessPool(pooled)
  const agent = createCodingAgent(
    { name: 'coder', command: fake.command, ...settings },
    { env: process.env, baseDir: folder, pool },
  )
  onTestFinished(async () => {
    await pool.close()
    await agent.close?.()
    rmSync(folder, { recursive: true, force: true })
  })
  const call = (request: Partial<AgentRequest> = {}, options: Partial<CallOptions> = {}): Promise<AgentReply> =>
    agent.call(
      { kind: 'answer', question: { run: 'r', step: '1', try: 1 }, messages: [user('do it')], ...request },
      { signal: new AbortController().signal, ...options },
    )
  const program = { argv: fake.command, env: { PATH: process.env.PATH! } }
  const warm = () => pool.warm({ key: 'coder', program, memoryMb: 300 })
  return { call, fake, folder, workspace, warm }
}
