/** The agents and roles of convene.yaml over HTTP: found, connected, assigned, tried. */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AgentState, SettingsView } from '../../src/app/agent-settings.ts'
import { loadConfig } from '../../src/kernel/config/load.ts'
import { isTrusted } from '../../src/kernel/trust/trusted-reach.ts'
import { Emulator } from '../agents/emulator.ts'
import { temporaryFolder } from '../support/convene.ts'
import { fakeCodingAgent } from '../support/fake-coding-agent.ts'
import { type Served, serve } from '../support/server.ts'

const emulator = new Emulator()
beforeAll(async () => {
  await emulator.start()
  emulator.mock.on({ predicate: () => true }, { content: 'ready' })
  return () => emulator.stop()
})

const yaml = `# My project
agents:
  # plays a script
  gpt: { provider: rehearsal, script: script.yaml }

# who does what
roles:
  impl: gpt # writes the code
`
const script = '- when: { ask: answer }\n  text: hello\n'
const secret = 'sk-ant-not-real-0123456789'

/** A PATH with a Codex that is logged in, and nothing else. */
function machine(): { folder: string; env: Record<string, string> } {
  const folder = temporaryFolder({ 'convene.yaml': yaml, 'script.yaml': script })
  const bin = temporaryFolder({
    codex: '#!/bin/sh\necho codex-cli 0.169.0\n',
    'codex-acp': '#!/bin/sh\nexit 1\n',
    gemini: '#!/bin/sh\necho 0.61.0\n',
  })
  mkdirSync(join(bin, '.codex'))
  writeFileSync(join(bin, '.codex/auth.json'), '{}')
  for (const program of ['codex', 'codex-acp', 'gemini']) chmodSync(join(bin, program), 0o755)
  const env = { PATH: bin, HOME: bin, XDG_STATE_HOME: join(bin, 'state'), ANTHROPIC_API_KEY: secret }
  return { folder, env: { ...env, CONVENE_TRUST: '' } }
}

async function open() {
  const { folder, env } = machine()
  const served = await serve({}, { folder, env })
  const text = () => readFileSync(join(folder, 'convene.yaml'), 'utf8')
  return { served, folder, env, text }
}

const view = async (served: Served) => (await served.call('GET', '/api/settings')).body as SettingsView
const named = ({ agents }: SettingsView, name: string) => agents.find((agent) => agent.name === name)

describe('settings over HTTP', () => {
  it('shows configured agents, what else is on the machine, and the roles', async () => {
    const { served } = await open()
    const found = await view(served)
    expect(found).toMatchObject({ file: 'convene.yaml', restart: false })
    expect(named(found, 'gpt')).toMatchObject({ provider: 'rehearsal', state: 'ok' })
    expect(named(found, 'gpt')!.cost).toBeUndefined()
    expect(named(found, 'codex')).toMatchObject({
      title: 'Codex',
      version: '0.169.0',
      state: 'off',
      connect: 'codex',
    })
    // Nobody is logged in: it cannot be connected yet.
    expect(named(found, 'gemini-cli')).toMatchObject({ state: 'off', fix: 'gemini' })
    expect(named(found, 'gemini-cli')!.connect).toBeUndefined()
    expect(named(found, 'claude')).toMatchObject({ provider: 'anthropic', state: 'off', connect: 'anthropic' })
    expect(found.roles).toContainEqual({ role: 'impl', about: 'Writes the code.', agent: 'gpt' })
    expect(found.roles).toContainEqual(expect.objectContaining({ role: 'reviewer', agent: null }))
    expect(JSON.stringify(found)).not.toContain(secret)
  })

  it('asks a program for its version once, and again when the program was replaced', async () => {
    const { served, env } = await open()
    const program = join(env.PATH!, 'codex')
    const asked = join(env.PATH!, 'asked')
    const install = (version: string) => writeFileSync(program, `#!/bin/sh\necho x >>"${asked}"\necho ${version}\n`)
    const versionShown = async () => named(await view(served), 'codex')!.version
    install('0.170.0')
    const views = [await versionShown(), ...(await Promise.all([versionShown(), versionShown()]))]
    expect(views).toEqual(['0.170.0', '0.170.0', '0.170.0'])
    expect(readFileSync(asked, 'utf8')).toBe('x\n')
    install('0.171.0-beta')
    expect(await versionShown()).toBe('0.171.0-beta')
  })

  it('connects an agent and assigns roles; comments stay, and what it wrote is trusted', async () => {
    const { served, folder, env, text } = await open()
    const post = async (path: string, body: unknown) =>
      (await served.call('POST', `/api/settings/${path}`, body)).body as SettingsView
    const connected = await post('agents', { connect: 'codex' })
    expect(named(connected, 'codex')).toMatchObject({
      agent: 'codex',
      state: 'ok',
      cost: expect.stringMatching(/10,000/),
    })
    expect(connected.restart).toBe(true)
    const both = await post('agents', { connect: 'anthropic' })
    expect(both.suggested).toEqual({ impl: 'codex', reviewer: 'claude' })
    await post('roles', { roles: both.suggested })
    await post('roles', { roles: { tdd: 'claude', impl: 'claude' } })
    await post('roles', { roles: { tdd: null } })
    expect(text()).toBe(`# My project
agents:
  # plays a script
  gpt: { provider: rehearsal, script: script.yaml }
  codex: { provider: acp, agent: codex }
  claude: { provider: anthropic, model: claude-sonnet-5-5, api_key_env: ANTHROPIC_API_KEY }

# who does what
roles:
  impl: claude # writes the code
  reviewer: claude
`)
    expect(isTrusted(loadConfig({ folder, env }), env)).toBe(true)
    const again = await post('agents', { connect: 'codex' })
    expect(named(again, 'codex-2')).toMatchObject({ agent: 'codex' })
  })

  it('refuses what would not work, and leaves the file as it was', async () => {
    const { served, text, folder } = await open()
    const refused = async (path: string, body: unknown) => {
      const { status, body: answer } = await served.call('POST', `/api/settings/${path}`, body)
      return [status, (answer as { error: { code: string } }).error.code]
    }
    expect(await refused('agents', { connect: 'gemini-cli' })).toEqual([409, 'not_ready'])
    expect(await refused('agents', { connect: 'openai' })).toEqual([409, 'not_ready'])
    expect(await refused('agents', { connect: 'bash' })).toEqual([400, 'unknown_agent'])
    expect(await refused('roles', { roles: { impl: 'nobody' } })).toEqual([400, 'invalid_config'])
    expect(await refused('roles', { roles: { king: 'gpt' } })).toEqual([400, 'unknown_role'])
    expect(await refused('agents/nobody/try', {})).toEqual([404, 'unknown_agent'])
    expect(text()).toBe(yaml)
    // Somebody changed the file meanwhile: what nobody trusted is not written along, and not used.
    writeFileSync(join(folder, 'convene.yaml'), `${yaml}\nforge: { github: { repo: a/b, token_env: MY_TOKEN } }\n`)
    expect((await refused('roles', { roles: { impl: 'gpt' } }))[0]).toBe(403)
    expect((await refused('agents/gpt/try', {}))[0]).toBe(403)
  })

  it('[TR4] connects nothing while a pull changes the file, and trusts nothing of it', async () => {
    const { served, folder, env, text } = await open()
    const pulled = `${yaml}\nforge: { github: { repo: a/b, token_env: MY_TOKEN } }\n`
    const aside = temporaryFolder({ 'convene.yaml': pulled })
    // Looking for Codex runs it, and takes as long as it likes.
    writeFileSync(
      join(env.PATH!, 'codex'),
      `#!/bin/sh\n/bin/cp '${aside}/convene.yaml' '${folder}/convene.yaml'\necho codex-cli 0.169.0\n`,
    )
    const { status, body } = await served.call('POST', '/api/settings/agents', { connect: 'codex' })
    expect([status, (body as { error: { code: string } }).error.code]).toEqual([403, 'untrusted_config'])
    expect(text()).toBe(pulled)
    expect(isTrusted(loadConfig({ folder, env }), env)).toBe(false)
  })

  it('[TR4] runs nothing with the environment of a file that nobody trusted', async () => {
    const { served, folder } = await open()
    const evil = temporaryFolder({ codex: `#!/bin/sh\necho stolen > '${folder}/stolen'\n` })
    chmodSync(join(evil, 'codex'), 0o755)
    const agent = { provider: 'acp', agent: 'codex', env: { PATH: evil } }
    writeFileSync(
      join(folder, 'convene.yaml'),
      JSON.stringify({ agents: { coder: agent, plain: { ...agent, env: {} } } }),
    )
    const found = await view(served)
    expect(existsSync(join(folder, 'stolen'))).toBe(false)
    expect(named(found, 'coder')).toMatchObject({ state: 'missing', fix: 'convene trust' })
    expect(named(found, 'coder')!.cost).toBeUndefined()
    expect(named(found, 'plain')).toMatchObject({ state: 'ok', version: '0.169.0' })
  })

  it('keeps the mode of the file', async () => {
    const { served, folder } = await open()
    const file = join(folder, 'convene.yaml')
    chmodSync(file, 0o600)
    await served.call('POST', '/api/settings/roles', { roles: { tdd: 'gpt' } })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('tries a model, a coding agent and a rehearsal agent, and says what came back', async () => {
    const folder = temporaryFolder({ 'script.yaml': script })
    const fake = fakeCodingAgent(folder, { prompts: [{ contains: 'single word', do: [{ say: 'ready' }] }] })
    const model = { provider: 'openai-compatible', model: 'm', base_url: emulator.baseUrl('openai-compatible') }
    const agents = {
      model,
      coder: { provider: 'acp', command: fake.command },
      actor: { provider: 'rehearsal', script: 'script.yaml' },
      gone: { provider: 'acp', command: ['no-such-program-here'] },
      nobody: { provider: 'openai-compatible', model: 'm', base_url: 'http://127.0.0.1:1/v1' },
    }
    writeFileSync(join(folder, 'convene.yaml'), JSON.stringify({ agents }))
    const served = await serve({}, { folder, env: { PATH: process.env.PATH!, HOME: folder } })
    const tried = async (name: string) =>
      (await served.call('POST', `/api/settings/agents/${name}/try`, {})).body as AgentState
    expect(await tried('model')).toMatchObject({ state: 'ok', detail: expect.stringMatching(/^answered "ready" in/) })
    expect(await tried('coder')).toMatchObject({ state: 'ok', detail: expect.stringMatching(/^answered "ready" in/) })
    expect(await tried('actor')).toMatchObject({ state: 'ok', detail: expect.stringContaining('rehearsal') })
    expect(await tried('gone')).toMatchObject({ state: 'missing', fix: 'correct agents.gone.command' })
    expect(await tried('nobody')).toMatchObject({ state: 'missing', detail: expect.stringContaining('127.0.0.1:1') })
  })
})
