import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectConfigured } from '../../src/agents/configured.ts'
import { connectAgents } from '../../src/agents/connect.ts'
import { type FakeMachine, fakeMachine } from '../../src/agents/detect/fake-machine.fixture.ts'
import { init } from '../../src/cli/doctor/init.ts'
import { configText } from '../../src/cli/doctor/init-template.ts'
import { loadConfig, parseConfig } from '../../src/kernel/config/load.ts'
import { MemoryLineBindings } from '../../src/kernel/stores/line-bindings.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'convene-init-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** No key set, and no coding agent on the PATH: only what Debian's own folders have. */
const env = (keys: Record<string, string> = {}) => ({ PATH: '/usr/bin:/bin', HOME: folder, ...keys })
const text = (path: string) => readFileSync(join(folder, path), 'utf8')
const start = (keys?: Record<string, string>, force = false) => init({ folder, env: env(keys), force })
const loaded = (keys?: Record<string, string>) => loadConfig({ folder, env: env(keys) })

describe('init', () => {
  it('writes a file that loads and whose agents connect', async () => {
    const keys = { ANTHROPIC_API_KEY: 'sk-ant-not-real-0123456789', GEMINI_API_KEY: 'not-real-0123456789' }
    writeFileSync(join(folder, 'package.json'), '{"scripts": {"test": "vitest run: all # x", "build": "tsc"}}')
    const result = await start(keys)
    const { config, file } = loaded(keys)
    expect(file).toBe(result.file)
    expect(result.rehearsal).toBe(false)
    expect(config.agents.claude).toMatchObject({ provider: 'anthropic', api_key_env: 'ANTHROPIC_API_KEY' })
    expect(config.agents.gemini).toMatchObject({ provider: 'google', api_key_env: 'GEMINI_API_KEY' })
    expect(config.build).toMatchObject({
      setup: 'npm install',
      build: 'npm run build',
      test: 'npm test',
      sandbox: 'auto',
    })
    expect(config.budget).toMatchObject({ calls: 500, usd: 10 })
    expect(config.roles.proposer).toBe('quick')
    expect(config.agents.quick).toMatchObject({ provider: 'anthropic', model: 'claude-haiku-5-5', helper: true })
    expect(result.proposer).toEqual({ name: 'quick', provider: 'anthropic', model: 'claude-haiku-5-5' })
    const connected = connectConfigured(loaded(keys), { env: keys, bindings: new MemoryLineBindings() })
    expect(connected.names()).toEqual(['claude', 'gemini', 'quick'])
    expect(connected.members()).toEqual(['claude', 'gemini'])
    connectAgents(config.agents, { env: keys, bindings: new MemoryLineBindings(), baseDir: folder })
  })

  it('writes no key into any file', async () => {
    await start({ OPENAI_API_KEY: 'sk-proj-not-real-0123456789' })
    expect(text('convene.yaml')).toContain('api_key_env: OPENAI_API_KEY')
    expect(text('convene.yaml')).not.toContain('not-real')
  })

  it('configures no agent if no key is set, and leaves no script behind: the built-in rehearsal plays', async () => {
    const result = await init({ folder, env: {}, machine: fakeMachine({ programs: { claude: '2.1.30' } }) })
    expect(result).toMatchObject({ rehearsal: true, agents: [], written: [join(folder, 'convene.yaml')] })
    expect(text('convene.yaml')).toMatch(/^# REHEARSAL/m)
    expect(readdirSync(folder).sort()).toEqual(['.convene', 'convene.yaml'])
    const project = loadConfig({ folder, env: {} })
    const agents = connectConfigured(project, { env: {}, bindings: new MemoryLineBindings() })
    expect(agents.describe()).toMatchObject([{ rehearsal: true }, { rehearsal: true }])
  })

  const threeAgents: FakeMachine = {
    env: { HOME: '/home/me' },
    programs: {
      claude: '2.1.30',
      'claude-agent-acp': '',
      codex: 'codex-cli 0.169.0',
      'codex-acp': '',
      gemini: '0.61.0',
      opencode: '1.18.0',
    },
    files: { '/home/me/.claude/.credentials.json': '{}', '/home/me/.codex/auth.json': '{}' },
  }

  it('[AG7] lets one coding agent implement and one of another vendor review', async () => {
    const result = await init({ folder, env: {}, machine: fakeMachine(threeAgents) })
    const roles = { proposer: 'quick', impl: 'claude', reviewer: 'codex', tdd: 'opencode' }
    expect(result).toMatchObject({ rehearsal: false, roles })
    const { config } = loadConfig({ folder, env: {} })
    expect(config.roles).toMatchObject(roles)
    expect(config.agents).toMatchObject({
      claude: { provider: 'acp', agent: 'claude-code', permissions: 'worktree' },
      codex: { provider: 'acp', agent: 'codex' },
      opencode: { provider: 'acp', agent: 'opencode' },
      quick: { provider: 'acp', agent: 'claude-code', model: 'haiku', helper: true },
    })
    // Nobody is logged in there.
    expect(config.agents.gemini).toBeUndefined()
    expect(text('convene.yaml')).toContain('reviewer: codex # reviews it: best an agent of another vendor')
  })

  it('[AG7] adds models for keys of vendors without a coding agent, and a cheap one for proposals', async () => {
    const keys = { OPENAI_API_KEY: 'sk-proj-not-real-0123456789', ANTHROPIC_API_KEY: 'sk-ant-not-real-0123456789' }
    const machine = fakeMachine({ env: keys, programs: { claude: '2.1.30', 'claude-agent-acp': '' } })
    await init({ folder, env: keys, machine })
    const { config } = loadConfig({ folder, env: keys })
    expect(config.agents).toMatchObject({
      claude: { provider: 'acp', agent: 'claude-code' },
      gpt: { provider: 'openai', api_key_env: 'OPENAI_API_KEY' },
      quick: { provider: 'anthropic', model: 'claude-haiku-5-5', helper: true },
    })
    expect(config.roles).toMatchObject({ proposer: 'quick', impl: 'claude', reviewer: 'gpt' })
    expect(config.roles.tdd).toBeUndefined()
  })

  it('overwrites an existing file only with --force', async () => {
    writeFileSync(join(folder, 'convene.yaml'), 'budget: {calls: 3}\n')
    await expect(start()).rejects.toThrow("exists already; edit it, or run 'convene init --force'")
    await expect(start()).rejects.toMatchObject({ exitCode: 2 })
    expect(text('convene.yaml')).toBe('budget: {calls: 3}\n')
    await start({}, true)
    expect(loaded().config.budget.calls).toBe(500)
  })

  it('excludes .convene/ from git once, in a worktree too', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: folder, stdio: 'pipe', encoding: 'utf8', env: { ...process.env, HOME: folder } })
    git('init', '-q')
    writeFileSync(join(folder, '.git/info/exclude'), 'mine')
    expect(await start()).toMatchObject({ excluded: true })
    await start({}, true)
    expect(text('.git/info/exclude')).toBe('mine\n.convene/\n')
    expect(git('status', '--porcelain', '--untracked-files=all')).not.toContain('.convene')
    git('-c', 'user.name=x', '-c', 'user.email=x@example.org', 'commit', '-q', '--allow-empty', '-m', 'x')
    git('worktree', 'add', '-q', join(folder, 'tree'))
    expect(await init({ folder: join(folder, 'tree'), env: env() })).toMatchObject({ excluded: true })
    expect(text('.git/info/exclude')).toBe('mine\n.convene/\n')
  })

  it('works outside a repository', async () => {
    expect(await start()).toMatchObject({ excluded: false })
    expect(existsSync(join(folder, '.git'))).toBe(false)
  })

  it('points editors to the schema of the installed package, else to a copy', async () => {
    await start()
    const line = /^# yaml-language-server: \$schema=(\S+)$/m
    const path = line.exec(text('convene.yaml'))?.[1]
    expect(JSON.parse(text(path!))).toMatchObject({ type: 'object' })
    mkdirSync(join(folder, 'node_modules/convene'), { recursive: true })
    writeFileSync(join(folder, 'node_modules/convene/convene.schema.json'), '{}')
    await start({}, true)
    expect(line.exec(text('convene.yaml'))?.[1]).toBe('./node_modules/convene/convene.schema.json')
  })

  it('reports what prevents it from writing', async () => {
    await expect(init({ folder: join(folder, 'gone'), env: env() })).rejects.toThrow('does not exist')
    mkdirSync(join(folder, 'convene.yaml'))
    await expect(start({}, true)).rejects.toThrow(/cannot be written \(EISDIR\)/)
  })
})

describe('the text of convene.yaml', () => {
  it('quotes what needs it', () => {
    const project = {
      name: 'project',
      state: 'ok' as const,
      detail: '',
      setup: 'a: b',
      test: '# not a comment',
      build: `echo ${'long '.repeat(50)}`,
    }
    const config = parseConfig(configText({ agents: [], project }), { folder, env: {} })
    expect(config.build).toMatchObject({ setup: 'a: b', test: '# not a comment', build: project.build })
  })

  it('loads as it is when its examples are uncommented', () => {
    const project = { name: 'project', state: 'missing' as const, detail: '' }
    const plain = configText({ agents: [], project })
    const everything = plain.replace(/^(\s*)# (\s*[\w-]+:(?: \S.*)?)$/gm, (line, indent, rest) =>
      /^yaml-lang|^REHEARSAL|^Convene/.test(rest) ? line : indent + rest,
    )
    const config = parseConfig(everything, { folder, env: {} })
    expect(config.roles.coordinator).toBe('claude')
    expect(config.forge.github?.repo).toBe('owner/name')
    expect(config.agents.local).toMatchObject({ provider: 'openai-compatible' })
    expect(config.build.test).toBe('npm test')
    expect(config.budget.minutes).toBe(60)
  })
})
