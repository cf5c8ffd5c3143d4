import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FakeMachine, fakeMachine, workingGit } from '../../src/agents/detect/fake-machine.fixture.ts'
import { proveSandbox } from '../../src/build/sandbox-proof.ts'
import { type SandboxReport, sandboxState } from '../../src/build/sandbox-state.ts'
import { doctor } from '../../src/cli/doctor/doctor.ts'
import { loadConfig, parseConfig } from '../../src/kernel/config/load.ts'
import { trust } from '../../src/kernel/trust/trusted-reach.ts'
import type { ReaderVerdict } from '../../src/rules/evidence/reader-check.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'convene-doctor-')))
  mkdirSync(join(folder, '.git'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const config = (text: string) => writeFileSync(join(folder, 'convene.yaml'), text)

async function examine({ env = {}, programs = { git: workingGit }, ...facts }: FakeMachine = {}, sandbox = works) {
  const machine = fakeMachine({ env, programs, ...facts })
  const { ready, agents, checks } = await doctor({ folder, env, machine, sandbox: async () => sandbox })
  const of = (name: string) => [...checks, ...agents].find((each) => each.name === name)
  return { ready, agents, checks, of }
}

const works: SandboxReport = { available: true, kind: 'bubblewrap' }
const key = { OPENAI_API_KEY: 'sk-something-long-1234567890' }

describe('doctor', () => {
  it('is not ready without an agent that can be asked, and says how to get one', async () => {
    const bare = await examine()
    expect(bare.ready).toBe(false)
    expect(bare.of('agents')).toMatchObject({
      state: 'missing',
      detail: expect.stringContaining('rehearsal'),
      fix: 'export ANTHROPIC_API_KEY=<your key> && convene init',
    })
    expect(bare.of('convene.yaml')).toMatchObject({ state: 'ok', fix: 'convene init' })
    expect((await examine({ env: key })).of('agents')).toMatchObject({ fix: 'convene init' })
    config('agents:\n  gpt: {provider: openai}\n')
    expect((await examine()).ready).toBe(false)
  })

  it('[VF9] says whether the test report of the untouched tree can be read', async () => {
    config('build: {test: git --version}\n')
    const machine = fakeMachine({ env: {}, programs: { git: workingGit } })
    const found = async (verdict: ReaderVerdict | undefined) => {
      const reader = async () => verdict
      const { checks } = await doctor({ folder, env: {}, machine, sandbox: async () => works, reader })
      return checks.find(({ name }) => name === 'tests')
    }
    expect(await found({ state: 'ok', detail: '3 tests read' })).toMatchObject({ state: 'ok', section: 'building' })
    const unread = { state: 'degraded', detail: 'names unknown', fix: 'write build.test' } as const
    expect(await found(unread)).toMatchObject({ state: 'missing', detail: 'names unknown', fix: 'write build.test' })
    expect(await found(unread)).not.toHaveProperty('stops_builds')
    expect(await found({ ...unread, state: 'broken', blocks: true })).toMatchObject({ stops_builds: true })
    expect(await found(undefined)).toBeUndefined()
  })

  it('[VF9] says what would keep a build from starting', async () => {
    const none: SandboxReport = { available: false, why: 'bubblewrap is not installed', fix: 'Install it' }
    const stopping = ({ checks }: Awaited<ReturnType<typeof examine>>) =>
      checks.filter(({ stops_builds }) => stops_builds).map(({ name }) => name)
    config('build: {test: git --version}\n')
    expect(stopping(await examine())).toEqual([])
    expect(stopping(await examine({}, none))).toEqual(['sandbox'])
    config('build: {test: nothing-like-it, sandbox: off}\n')
    expect(stopping(await examine({}, none))).toEqual(['commands'])
    config('build: {}\n')
    expect(stopping(await examine())).toEqual(['commands'])
  })

  it('says what it is doing before each check that takes a while', async () => {
    config('build: {test: git --version}\n')
    const machine = fakeMachine({ env: {}, programs: { git: workingGit } })
    const seen: string[] = []
    await doctor({
      folder,
      env: {},
      machine,
      progress: (line) => seen.push(line),
      reader: async () => {
        seen.push('(tests run)')
        return { state: 'ok', detail: '3 tests read' }
      },
      sandbox: async () => {
        seen.push('(sandbox tried)')
        return works
      },
    })
    expect(seen).toEqual([
      'Looking for programs, keys and coding agents …',
      'Running the tests once, on a clean checkout of the last commit: git --version …',
      '(tests run)',
      'Tests: 3 tests read',
      'Trying the sandbox …',
      '(sandbox tried)',
    ])
  })

  it('is ready when one of the configured agents can be asked', async () => {
    config('agents:\n  gpt: {provider: openai, model: m}\n  claude: {provider: anthropic}\n')
    const { ready, of } = await examine({ env: key })
    expect(ready).toBe(true)
    expect(of('gpt')).toMatchObject({ state: 'ok', detail: 'openai m, key in OPENAI_API_KEY' })
    expect(of('claude')).toMatchObject({ state: 'missing', fix: 'export ANTHROPIC_API_KEY=<your key>' })
  })

  it('shows coding agents that are installed and not configured as off, with what they lack', async () => {
    const programs = { git: workingGit, claude: '2.1.30 (Claude Code)', opencode: '1.18.0' }
    const { ready, of } = await examine({ programs })
    expect(ready).toBe(false)
    expect(of('claude-code')).toEqual({
      name: 'claude-code',
      provider: 'acp',
      agent: 'claude-code',
      version: '2.1.30',
      state: 'off',
      detail: expect.stringContaining('nobody is logged in'),
      fix: 'claude /login',
    })
    expect(of('opencode')).toMatchObject({ state: 'off', detail: expect.stringContaining('not in convene.yaml') })
  })

  it('says of a configured coding agent whether it is there, recent and logged in', async () => {
    config('agents:\n  coder: {provider: acp, agent: codex}\n  gemini: {provider: acp, agent: gemini-cli}\n')
    const git = { git: workingGit }
    expect((await examine({ programs: git })).of('coder')).toMatchObject({
      agent: 'codex',
      state: 'missing',
      fix: 'npm install -g @agentclientprotocol/codex-acp',
    })
    const codex = { ...git, codex: 'codex-cli 0.169.0', 'codex-acp': '' }
    expect((await examine({ programs: codex })).of('coder')).toMatchObject({ state: 'login', fix: 'codex login' })
    const { ready, of } = await examine({ programs: { ...codex, gemini: '0.9.1' }, env: key })
    expect(of('coder')).toMatchObject({ agent: 'codex', version: '0.169.0', state: 'ok' })
    expect(of('gemini')).toMatchObject({ state: 'old', fix: 'npm install -g @google/gemini-cli@latest' })
    expect(ready).toBe(true)
    config('agents:\n  mine: {provider: acp, command: [no-such-program-here]}\n')
    expect((await examine()).of('mine')).toMatchObject({ state: 'missing', fix: 'correct agents.mine.command' })
  })

  it('checks rehearsal scripts, and servers without a key', async () => {
    config(
      'agents:\n  a: {provider: rehearsal, script: lines.yaml}\n  b: {provider: openai-compatible, model: m, base_url: "http://localhost:1/v1"}\n',
    )
    expect((await examine()).of('a')).toMatchObject({ state: 'missing', detail: expect.stringContaining('lines.yaml') })
    writeFileSync(join(folder, 'lines.yaml'), '- when: { ask: answer }\n  text: hello\n')
    const { of } = await examine()
    expect(of('a')).toMatchObject({ state: 'ok', detail: expect.stringMatching(/^rehearsal: /) })
    expect(of('b')).toMatchObject({ state: 'ok', detail: 'openai-compatible m at http://localhost:1/v1' })
  })

  it('[TR4] shows what is trusted, since when, and what changed', async () => {
    const env = { ...key, XDG_STATE_HOME: join(folder, 'state') }
    const wanting = (url: string) => `agents:\n  gpt: {provider: openai, model: m, base_url: "${url}"}\n`
    expect((await examine({ env })).of('trust')).toMatchObject({ state: 'ok', section: 'basics', needed: true })
    config(wanting('http://localhost:1/v1'))
    const untrusted = await examine({ env })
    expect(untrusted.ready).toBe(false)
    expect(untrusted.of('trust')).toMatchObject({
      state: 'broken',
      detail: expect.stringContaining('agents.gpt.base_url: not trusted yet'),
      fix: 'convene trust',
    })
    trust(loadConfig({ folder, env }), env)
    const trusted = await examine({ env })
    expect(trusted.ready).toBe(true)
    expect(trusted.of('trust')).toMatchObject({
      state: 'ok',
      detail: expect.stringMatching(/^agents\.gpt\.base_url: trusted since \d{4}-\d\d-\d\d$/),
    })
    config(wanting('http://localhost:2/v1'))
    expect((await examine({ env })).of('trust')).toMatchObject({
      state: 'broken',
      detail: expect.stringContaining('agents.gpt.base_url changed since you trusted it on'),
    })
  })

  it('says what is wrong with the file, and the fix', async () => {
    config('agnets: {}\nroom: {dispatch: {gap: 9}}\n')
    const { ready, of } = await examine()
    expect(ready).toBe(false)
    expect(of('convene.yaml')).toMatchObject({ state: 'broken', detail: expect.stringContaining('(and 1 more)') })
    expect(`${of('convene.yaml')?.detail} ${of('convene.yaml')?.fix}`).toMatch(/gap|agnets/)
  })

  it('is not ready without git or with an old Node', async () => {
    config('agents:\n  gpt: {provider: openai, model: m}\n')
    expect((await examine({ env: key })).ready).toBe(true)
    expect((await examine({ env: key, programs: {} })).ready).toBe(false)
    expect((await examine({ env: key, nodeVersion: '20.1.0' })).ready).toBe(false)
  })

  it('shows the commands a build would run: the configured ones, else the detected ones', async () => {
    const files = { [`${folder}/Cargo.toml`]: '' }
    const programs = { git: workingGit, cargo: '', make: '' }
    expect((await examine()).of('commands')).toMatchObject({ state: 'missing', detail: 'no test command found' })
    expect((await examine({ files, programs })).of('commands')).toMatchObject({
      state: 'ok',
      detail: 'cargo fetch · cargo build · cargo test (detected)',
    })
    config('build: {setup: make deps, test: make test}')
    expect((await examine({ files, programs })).of('commands')).toMatchObject({
      state: 'ok',
      detail: 'make deps · make test',
    })
  })

  it('refuses a command whose program is not installed', async () => {
    const files = { [`${folder}/package.json`]: '{"scripts": {"test": "x"}}', [`${folder}/pnpm-lock.yaml`]: '' }
    expect((await examine({ files })).of('commands')).toMatchObject({
      state: 'broken',
      detail: 'setup: pnpm install --frozen-lockfile, but pnpm is not installed',
      fix: 'npm install -g pnpm',
    })
    config('build: {test: pnpm vitest}')
    expect((await examine()).of('commands')).toMatchObject({
      state: 'broken',
      fix: 'install pnpm, or change build.test',
    })
  })

  it('reports the sandbox as the product finds it', async () => {
    const none: SandboxReport = { available: false, why: 'bubblewrap is not installed', fix: 'Install it' }
    expect((await examine()).of('sandbox')).toMatchObject({ state: 'ok', detail: 'bubblewrap, tested' })
    expect((await examine({}, none)).of('sandbox')).toMatchObject({ state: 'broken', fix: 'Install it' })
    config('build: {sandbox: required}')
    expect((await examine({}, none)).of('sandbox')).toMatchObject({ state: 'broken', fix: 'Install it' })
    config('build: {sandbox: off}')
    expect((await examine()).of('sandbox')).toMatchObject({ state: 'missing' })
    const project = { folder, config: parseConfig(undefined, { folder, env: {} }) }
    const real = await sandboxState(project, process.env)
    const asked = await doctor({ folder: project.folder, env: { ...process.env, CONVENE_BUILD__SANDBOX: 'auto' } })
    expect(asked.checks.find(({ name }) => name === 'sandbox')?.state).toBe(real.available ? 'ok' : 'broken')
  })

  it('[TR8] shows in a line each what a command could read, write, reach and use, and proves it by trying', async () => {
    const project = { folder, config: parseConfig(undefined, { folder, env: {} }) }
    const { reach, available } = await sandboxState(project, process.env)
    const { of } = await examine(
      {},
      { available: true, kind: 'bubblewrap', reach: { read: 'a', write: 'b', reach: 'c', use: 'd' } },
    )
    expect(['read', 'write', 'reach', 'use'].map((what) => of(`commands ${what}`))).toMatchObject([
      { state: 'ok', detail: 'a' },
      { detail: 'b' },
      { detail: 'c' },
      { detail: 'd' },
    ])
    writeFileSync(join(folder, '.env'), 'KEY=private')
    const env = { ...process.env, HOME: folder }
    const off = await proveSandbox(
      { ...project, config: { ...project.config, build: { ...project.config.build, sandbox: 'off' } } },
      env,
    )
    const held = (proof: typeof off, name: string) => proof.promises.find((promise) => promise.name === name)?.holds
    expect(held(off, 'reads nothing of the checkout')).toBe(false)
    expect(held(off, 'leaves no process behind')).toBe(true)
    const proof = await proveSandbox(project, env)
    // Without a sandbox on this machine nothing is promised, and that is said.
    if (!available) return expect(proof).toMatchObject({ sandbox: null, promises: [], why: expect.any(String) })
    expect(reach?.read).toContain('an empty home folder')
    expect(proof.promises.filter(({ holds }) => !holds)).toEqual([])
    expect(proof.promises).toHaveLength(8)
  })

  it('shows a database only where one is used, whether it can be reached, and never its password', async () => {
    const { checks } = await examine({ env: { DATABASE_URL: 'postgres://me:hunter2hunter2@db/x' } })
    expect(JSON.stringify(checks)).not.toMatch(/database|hunter2/i)
    const url = 'postgres://me:hunter2hunter2@127.0.0.1:1/x'
    const unreachable = await examine({ env: { CONVENE_DATABASE_URL: url } })
    expect(unreachable.of('database')).toMatchObject({
      state: 'broken',
      needed: true,
      detail: expect.stringContaining('cannot reach the database postgres://me@127.0.0.1:1/x'),
    })
    expect(JSON.stringify(unreachable.checks)).not.toContain('hunter2')
  })

  it('has one line for every fix', async () => {
    const { checks } = await examine({ programs: {} })
    for (const { state, fix } of checks.filter((check) => check.state !== 'ok'))
      expect([state, fix]).toEqual([state, expect.stringMatching(/^\S.*$/)])
  })
})
