import { describe, expect, it } from 'vitest'
import { detect } from './detect.ts'
import { type FakeMachine, fakeMachine, workingGit } from './fake-machine.fixture.ts'

const look = (machine: FakeMachine = {}) =>
  detect({ folder: '/p', env: machine.env ?? {}, machine: fakeMachine(machine) })

describe('a bare machine', () => {
  it('has a fix of one line for everything that is missing', async () => {
    const { node, git, repository, keys, codingAgents, sandbox, browser, project } = await look()
    expect(node.state).toBe('ok')
    for (const finding of [git, repository, ...keys, ...codingAgents, sandbox, browser, project]) {
      expect(finding.state).toBe('missing')
      expect(finding.fix).toMatch(/^\S[^\n]*$/)
    }
  })

  it('uses the installer that is there, with sudo unless it is root', async () => {
    expect((await look()).sandbox.fix).toBe('sudo apt-get install -y bubblewrap socat ripgrep')
    expect((await look({ programs: { apk: '' }, isRoot: true })).sandbox.fix).toBe('apk add bubblewrap socat ripgrep')
    expect((await look({ platform: 'darwin' })).browser.fix).toBe('brew install chromium')
  })
})

describe('Node and git', () => {
  it('refuses a Node that is too old', async () => {
    expect((await look({ nodeVersion: '22.5.0' })).node).toMatchObject({
      state: 'broken',
      detail: '22.5.0, and 24 is needed',
    })
  })

  it('sees a git and a repository that work', async () => {
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

  it('sees a value that cannot be a key', async () => {
    expect((await look({ env: { OPENAI_API_KEY: 'two words' } })).keys[1]).toMatchObject({ state: 'broken' })
  })
})

describe('coding agents', () => {
  it('reads their versions and knows how to start each', async () => {
    const { codingAgents } = await look({
      programs: {
        claude: '2.1.30 (Claude Code)',
        codex: 'codex-cli 1.4.0-alpha.2',
        gemini: '0.9.1\n',
        opencode: 'v1.2.3',
        'codex-acp': '',
      },
    })
    expect(codingAgents).toEqual([
      {
        name: 'claude',
        state: 'ok',
        detail: 'Claude Code 2.1.30',
        command: 'npx --yes @agentclientprotocol/claude-agent-acp@0.99.1',
      },
      { name: 'codex', state: 'ok', detail: 'Codex 1.4.0-alpha.2', command: 'codex-acp' },
      { name: 'gemini', state: 'ok', detail: 'Gemini CLI 0.9.1', command: 'gemini --acp' },
      { name: 'opencode', state: 'ok', detail: 'opencode 1.2.3', command: 'opencode acp' },
    ])
  })

  it('says of one that does not answer that it is broken', async () => {
    const hanging = { '--version': { ok: false as const, reason: 'gave no answer within 5 s', output: '' } }
    expect((await look({ programs: { codex: hanging } })).codingAgents[1]).toMatchObject({
      state: 'broken',
      detail: '/bin/codex --version gave no answer within 5 s',
      fix: 'npm install -g @openai/codex',
    })
  })
})

describe('sandbox and browser', () => {
  const tools = { socat: '', rg: '', true: '' }

  it('tries the sandbox instead of trusting that it is installed', async () => {
    expect((await look({ programs: { ...tools, bwrap: 'fine' } })).sandbox.state).toBe('ok')
    const refused = {
      ok: false as const,
      reason: 'ended with code 1',
      output: 'bwrap: No permissions to create a new namespace\nmore',
    }
    const { sandbox } = await look({
      programs: { ...tools, bwrap: { '--ro-bind / / --unshare-net -- /bin/true': refused } },
    })
    expect(sandbox).toMatchObject({
      state: 'broken',
      detail: expect.stringContaining('No permissions to create a new namespace'),
    })
  })

  it('names only what is absent', async () => {
    expect((await look({ programs: { bwrap: '', rg: '' } })).sandbox.fix).toBe('sudo apt-get install -y socat')
    expect((await look({ platform: 'darwin', programs: { 'sandbox-exec': '', rg: '' } })).sandbox.state).toBe('ok')
  })

  it('finds a browser on the PATH, in CHROME_PATH, or among the applications', async () => {
    expect((await look({ programs: { 'google-chrome': '' } })).browser.detail).toBe('/bin/google-chrome')
    expect((await look({ env: { CHROME_PATH: '/x/chrome' }, files: { '/x/chrome': '' } })).browser.detail).toBe(
      '/x/chrome',
    )
    expect((await look({ env: { CHROME_PATH: '/gone' } })).browser).toMatchObject({
      state: 'broken',
      fix: 'unset CHROME_PATH',
    })
    const app = '/Applications/Chromium.app/Contents/MacOS/Chromium'
    expect((await look({ platform: 'darwin', files: { [app]: '' } })).browser.detail).toBe(app)
  })
})
