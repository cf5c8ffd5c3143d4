import { describe, expect, it } from 'vitest'
import { detect } from './detect.ts'
import { type FakeMachine, fakeMachine, workingGit } from './fake-machine.fixture.ts'

const look = (machine: FakeMachine = {}) =>
  detect({ folder: '/p', env: machine.env ?? {}, machine: fakeMachine(machine) })

describe('a bare machine', () => {
  it('has a fix of one line for everything that is missing', async () => {
    const { node, git, repository, keys, codingAgents, project } = await look()
    expect(node.state).toBe('ok')
    expect(codingAgents).toEqual([])
    for (const finding of [git, repository, ...keys, project]) {
      expect(finding.state).toBe('missing')
      expect(finding.fix).toMatch(/^\S[^\n]*$/)
    }
  })

  it('suggests the installed package manager, with sudo unless root', async () => {
    expect((await look()).git.fix).toBe('sudo apt-get install -y git')
    expect((await look({ programs: { apk: '' }, isRoot: true })).git.fix).toBe('apk add git')
    expect((await look({ platform: 'darwin' })).git.fix).toBe('brew install git')
  })
})

describe('Node and git', () => {
  it('refuses a Node that is too old', async () => {
    expect((await look({ nodeVersion: '22.5.0' })).node).toMatchObject({
      state: 'broken',
      detail: '22.5.0, but Convene needs 24',
    })
  })

  it('names the Node of the PATH too, where it is another one', async () => {
    const found = async (version: string) => (await look({ programs: { node: version } })).node
    expect(await found('v20.20.2\n')).toEqual({
      name: 'Node',
      state: 'ok',
      detail: '24.1.0 runs Convene; your commands run on 20.20.2',
    })
    expect((await found('v24.1.0\n')).detail).toBe('24.1.0')
  })

  it('accepts a working git and repository', async () => {
    const { git, repository } = await look({ programs: { git: workingGit } })
    expect(git).toEqual({ name: 'git', state: 'ok', detail: '2.47.1' })
    expect(repository).toEqual({ name: 'repository', state: 'ok', detail: '/p' })
  })

  it.each([
    ['2.37.9', 'broken'],
    ['2.38.0', 'ok'],
    ['3.0.0', 'ok'],
    ['1.99.0', 'broken'],
  ])('takes git %s for %s', async (version, state) => {
    const programs = { git: { ...workingGit, '--version': `git version ${version} (Apple Git-1)` } }
    expect((await look({ programs })).git.state).toBe(state)
  })

  it.each([
    [
      { 'rev-parse --verify --quiet HEAD': { ok: false as const, reason: '', output: '' } },
      'git commit --allow-empty -m "First commit"',
    ],
    [{ 'var GIT_AUTHOR_IDENT': { ok: false as const, reason: '', output: '' } }, 'git config --global user.email'],
    [
      {
        'rev-parse --show-toplevel': {
          ok: false as const,
          reason: '',
          output: 'fatal: detected dubious ownership in …',
        },
      },
      "git config --global --add safe.directory '/p'",
    ],
  ])('says what a repository lacks: %#', async (broken, fix) => {
    const { repository } = await look({ programs: { git: { ...workingGit, ...broken } } })
    expect(repository.state).toBe('broken')
    expect(repository.fix).toContain(fix)
  })
})

describe('keys', () => {
  it('names the variable, never the value', async () => {
    const detection = await look({
      env: { OPENAI_API_KEY: 'sk-very-secret', GEMINI_API_KEY: 'also-secret', ANTHROPIC_API_KEY: '  ' },
    })
    expect(detection.keys.map(({ provider, state, variable }) => [provider, state, variable])).toEqual([
      ['anthropic', 'missing', 'ANTHROPIC_API_KEY'],
      ['openai', 'ok', 'OPENAI_API_KEY'],
      ['google', 'ok', 'GEMINI_API_KEY'],
    ])
    expect(JSON.stringify(detection)).not.toMatch(/secret/)
  })

  it('rejects a value that cannot be a key', async () => {
    expect((await look({ env: { OPENAI_API_KEY: 'two words' } })).keys[1]).toMatchObject({ state: 'broken' })
  })
})

describe('coding agents', () => {
  it('reads the versions of installed agents', async () => {
    const hanging = { '--version': { ok: false as const, reason: 'gave no answer within 5 s', output: '' } }
    const { codingAgents } = await look({
      programs: { claude: '2.1.30 (Claude Code)', codex: 'codex-cli 1.4.0-alpha.2', opencode: hanging },
    })
    expect(codingAgents).toMatchObject([
      { agent: 'claude-code', title: 'Claude Code', version: '2.1.30', state: 'login' },
      { agent: 'codex', title: 'Codex', version: '1.4.0-alpha.2', state: 'login' },
      { agent: 'opencode', title: 'opencode', state: 'ok' },
    ])
  })

  it('reads versions from packages where it can, and finds an adapter that is too old', async () => {
    const hanging = { '--version': { ok: false as const, reason: 'gave no answer within 5 s', output: '' } }
    const { codingAgents } = await look({
      programs: { 'claude-agent-acp': '', codex: 'codex-cli 1.4.0', 'codex-acp': '', gemini: hanging },
      packages: {
        '@agentclientprotocol/claude-agent-acp': '0.99.1',
        '@agentclientprotocol/codex-acp': '0.3.1',
        '@google/gemini-cli': '0.61.0',
      },
      env: { ANTHROPIC_API_KEY: 'x', OPENAI_API_KEY: 'x', GEMINI_API_KEY: 'x' },
    })
    expect(codingAgents).toMatchObject([
      { agent: 'claude-code', version: '0.99.1', state: 'ok', detail: 'Claude Code 0.99.1' },
      {
        agent: 'codex',
        version: '1.4.0',
        state: 'old',
        detail: 'Codex 1.4.0, codex-acp 0.3.1, but 1.0 is needed',
        fix: 'npm install -g @agentclientprotocol/codex-acp@latest',
      },
      { agent: 'gemini-cli', version: '0.61.0', state: 'ok' },
    ])
  })

  it('[AG6] can ask an agent without its adapter, and says what that lacks', async () => {
    const { codingAgents } = await look({
      programs: { claude: '2.1.30 (Claude Code)' },
      env: { ANTHROPIC_API_KEY: 'sk-ant-not-real-0123456789' },
    })
    expect(codingAgents).toEqual([
      {
        agent: 'claude-code',
        title: 'Claude Code',
        version: '2.1.30',
        state: 'ok',
        detail: 'Claude Code 2.1.30, in its headless mode: no claude-agent-acp',
        fix: 'npm install -g @agentclientprotocol/claude-agent-acp',
      },
    ])
  })
})
