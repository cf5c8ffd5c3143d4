import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FakeMachine, fakeMachine, workingGit } from '../../src/agents/detect/fake-machine.fixture.ts'
import { doctor } from '../../src/cli/doctor/doctor.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'convene-doctor-')))
  mkdirSync(join(folder, '.git'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const config = (text: string) => writeFileSync(join(folder, 'convene.yaml'), text)

async function examine({ env = {}, programs = { git: workingGit }, ...facts }: FakeMachine = {}) {
  const { findings, usable } = await doctor({ folder, env, machine: fakeMachine({ env, programs, ...facts }) })
  return { usable, of: (name: string) => findings.find((finding) => finding.name === name), findings }
}

describe('doctor', () => {
  it('calls a project without configuration usable: agents rehearse', async () => {
    const { usable, of } = await examine()
    expect(usable).toBe(true)
    expect(of('agents')).toMatchObject({ state: 'missing', fix: 'convene init' })
    expect(of('convene.yaml')).toMatchObject({ state: 'ok', fix: 'convene init' })
  })

  it('is usable when one of the configured agents is', async () => {
    config('agents:\n  gpt: {provider: openai, model: m}\n  claude: {provider: anthropic}\n')
    const { usable, of } = await examine({ env: { OPENAI_API_KEY: 'sk-something-long-1234567890' } })
    expect(usable).toBe(true)
    expect(of('gpt')).toMatchObject({ state: 'ok', detail: 'openai m, key in OPENAI_API_KEY' })
    expect(of('claude')).toMatchObject({ state: 'broken', fix: 'export ANTHROPIC_API_KEY=<your key>' })
  })

  it('is not usable when nobody can be asked', async () => {
    config('agents:\n  gpt: {provider: openai}\n')
    expect((await examine()).usable).toBe(false)
  })

  it('checks rehearsal scripts, and servers without a key', async () => {
    config(
      'agents:\n  a: {provider: rehearsal, script: lines.yaml}\n  b: {provider: openai-compatible, model: m, base_url: "http://localhost:1/v1"}\n',
    )
    expect((await examine()).of('a')).toMatchObject({ state: 'broken', detail: expect.stringContaining('lines.yaml') })
    writeFileSync(join(folder, 'lines.yaml'), '- when: { ask: answer }\n  text: hello\n')
    const { of } = await examine()
    expect(of('a')).toMatchObject({ state: 'ok', detail: expect.stringMatching(/^rehearsal: /) })
    expect(of('b')).toMatchObject({ state: 'ok', detail: 'openai-compatible m at http://localhost:1/v1' })
  })

  it('says what is wrong with the file, and the fix', async () => {
    config('agnets: {}\nroom: {dispatch: {gap: 9}}\n')
    const { usable, of } = await examine()
    expect(usable).toBe(false)
    expect(of('convene.yaml')).toMatchObject({ state: 'broken', detail: expect.stringContaining('(and 1 more)') })
    expect(`${of('convene.yaml')?.detail} ${of('convene.yaml')?.fix}`).toMatch(/gap|agnets/)
  })

  it('is not usable without git or with an old Node', async () => {
    expect((await examine({ programs: {} })).usable).toBe(false)
    expect((await examine({ nodeVersion: '20.1.0' })).usable).toBe(false)
  })

  it('compares the commands that are configured with those that were found', async () => {
    const files = { [`${folder}/Cargo.toml`]: '' }
    const programs = { git: workingGit, cargo: '' }
    expect((await examine({ files, programs })).of('commands')).toMatchObject({ state: 'missing', fix: 'convene init' })
    config('budget: {calls: 5}')
    expect((await examine({ files, programs })).of('commands')).toMatchObject({
      fix: 'write build: {test: cargo test} into convene.yaml',
    })
    config('build: {setup: make deps, test: make test}')
    expect((await examine({ files, programs })).of('commands')).toMatchObject({
      state: 'ok',
      detail: 'make deps · make test',
    })
  })

  it('says which database is used, without its password', async () => {
    const shared = await examine({ env: { DATABASE_URL: 'postgres://me:hunter2hunter2@db/x' } })
    expect(shared.of('database')).toMatchObject({ detail: 'Postgres, from DATABASE_URL' })
    expect(JSON.stringify(shared.findings)).not.toContain('hunter2')
    const other = await examine({ env: { DATABASE_URL: 'mysql://x' } })
    expect(other.of('database')).toMatchObject({ detail: expect.stringContaining('is left alone') })
  })

  it('has one line for every fix', async () => {
    const { findings } = await examine({ programs: {} })
    for (const { state, fix } of findings.filter((finding) => finding.state !== 'ok'))
      expect([state, fix]).toEqual([state, expect.stringMatching(/^\S.*$/)])
  })
})
