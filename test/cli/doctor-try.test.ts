/** `convene doctor --try`: says what it will cost, then asks every agent that can be asked. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Diagnosis } from '../../src/cli/doctor/doctor.ts'
import { sendError, serveCanned } from '../agents/canned-server.ts'
import { Emulator } from '../agents/emulator.ts'
import { lastJson, temporaryFolder } from '../support/convene.ts'
import { type FakeScript, fakeCodingAgent } from '../support/fake-coding-agent.ts'
import { runResident } from '../support/resident-command.ts'

const emulator = new Emulator()
beforeAll(async () => {
  await emulator.start()
  emulator.mock.on({ predicate: () => true }, { content: 'ready' })
  return () => emulator.stop()
})

const ready: FakeScript['prompts'] = [{ contains: 'single word', do: [{ say: 'ready' }] }]
const env = { OPENAI_API_KEY: 'sk-test-0123456789abcdef' }

async function tryAll(agents: Record<string, unknown>, folder = temporaryFolder()) {
  writeFileSync(join(folder, 'script.yaml'), '- when: { ask: answer }\n  text: hello\n')
  writeFileSync(join(folder, 'convene.yaml'), JSON.stringify({ agents, build: { sandbox: 'off' } }))
  const ended = await runResident(['doctor', '--try', '--json'], { cwd: folder, env })
  const diagnosis = lastJson<Diagnosis>(ended)
  const of = (name: string) => diagnosis.agents.find((agent) => agent.name === name)
  return { ended, diagnosis, of }
}

describe('doctor --try', () => {
  it('says the cost, asks models and coding agents, and leaves scripts alone', async () => {
    const folder = temporaryFolder()
    const coder = fakeCodingAgent(folder, { prompts: ready })
    const priced = { input: 2, output: 10 }
    const gpt = { provider: 'openai', model: 'gpt-4o', base_url: emulator.baseUrl('openai'), price: priced }
    const before = emulator.sent.length
    const { ended, diagnosis, of } = await tryAll(
      {
        gpt,
        coder: { provider: 'acp', command: coder.command, price: priced },
        actor: { provider: 'rehearsal', script: 'script.yaml' },
        gone: { provider: 'acp', command: ['no-such-program-here'] },
      },
      folder,
    )
    expect(ended.code, ended.stderr).toBe(0)
    expect(diagnosis.ready).toBe(true)
    expect(ended.stderr).toMatch(
      /^Asking gpt, coder one tiny question each: about 50 tokens for a model, often 10,000 tokens and more for a coding agent, .*; about \$0\.0203\.$/m,
    )
    expect(of('gpt')).toMatchObject({
      state: 'ok',
      detail: expect.stringMatching(/^answered "ready" in .* tokens.*, \$/),
    })
    expect(of('coder')).toMatchObject({
      state: 'ok',
      detail: expect.stringMatching(/^answered "ready" in .* tokens \(estimated\)/),
    })
    expect(of('actor')).toMatchObject({ state: 'ok', detail: expect.stringMatching(/^rehearsal: /) })
    expect(of('gone')).toMatchObject({ state: 'missing', fix: 'correct agents.gone.command' })
    expect(emulator.sent.length - before).toBe(1)
    expect(coder.received().filter(({ method }) => method === 'session/prompt')).toHaveLength(1)
  })

  it('tells a refused key, a missing login, an old protocol and a dead server apart, with the fix', async () => {
    const folder = temporaryFolder()
    const refusing = await serveCanned((response) => sendError(response, 401, { error: { message: 'bad key' } }))
    onTestFinished(() => refusing.close())
    const fake = (name: string, start: FakeScript['start']) =>
      fakeCodingAgent(folder, { start, prompts: ready }, name).command
    const { ended, diagnosis, of } = await tryAll(
      {
        gpt: { provider: 'openai', model: 'gpt-4o', base_url: `${refusing.address}/v1` },
        out: {
          provider: 'acp',
          agent: 'codex',
          command: fake('out', { newSessionError: { code: -32000, message: 'Authentication required' } }),
        },
        old: { provider: 'acp', agent: 'gemini-cli', command: fake('old', { protocolVersion: 0 }) },
        nobody: { provider: 'openai-compatible', model: 'm', base_url: 'http://127.0.0.1:1/v1' },
      },
      folder,
    )
    expect(ended.code).toBe(1)
    expect(diagnosis.ready).toBe(false)
    expect(ended.stderr).toContain("at your providers' prices")
    expect(of('gpt')).toMatchObject({ state: 'login', fix: 'set OPENAI_API_KEY to a valid key' })
    expect(of('out')).toMatchObject({ state: 'login', fix: 'codex login' })
    expect(of('old')).toMatchObject({ state: 'old', fix: 'npm install -g @google/gemini-cli@latest' })
    expect(of('nobody')).toMatchObject({ state: 'missing', detail: expect.stringContaining('127.0.0.1:1') })
  })

  it('asks nobody where only scripts play, and says so', async () => {
    const { ended, of } = await tryAll({ actor: { provider: 'rehearsal', script: 'script.yaml' } })
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.stderr).toContain('No agent can be asked')
    expect(of('actor')).toMatchObject({ state: 'ok' })
  })
})
