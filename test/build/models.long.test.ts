/** Models that code: all four kinds of provider build against an emulator, with tools, in their own worktrees. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ModelProvider } from '../../src/agents/models/providers.ts'
import { Emulator, models, secretKey } from '../agents/emulator.ts'
import { type ScriptedStep, script, toolAnswers } from '../agents/tool-loop-script.ts'
import { runResident } from '../support/resident-command.ts'
import {
  approved,
  asked,
  type Built,
  buildProject,
  code,
  expectExit,
  honest,
  ofType,
  type Project,
  specOf,
  testCommand,
  testFile,
} from './project.ts'

const emulator = new Emulator()
beforeAll(() => emulator.start())
afterAll(() => emulator.stop())

const spec = specOf('inc')
const good = honest(spec)
const finish = (reply: unknown): ScriptedStep => ({ calls: [['finish', reply]] })
const write = (path: string, content: string): [string, unknown] => ['write', { path, content }]
const writes = (files: Record<string, string>): [string, unknown][] =>
  Object.entries(files).map(([path, content]) => write(path, content))
const run = (command: string): ScriptedStep => ({ calls: [['run', { command }]] })
const passed = { TestsPassed: { iterations: 1, passedTests: [] } }

function projectOf(provider: ModelProvider, build: Record<string, unknown> = {}): Project {
  const agent = {
    provider,
    model: models[provider],
    base_url: emulator.baseUrl(provider),
    api_key_env: 'CODER_KEY',
    price: { input: 2, output: 10 },
    retries: 0,
  }
  return buildProject({ spec, lines: [], build, config: { agents: { coder: agent } } })
}

async function convene(project: Project, ...args: string[]): Promise<Built> {
  const env = { CODER_KEY: secretKey }
  const ended = await runResident([...args, '--json'], { cwd: project.folder, env })
  return { ...ended, report: JSON.parse(ended.stdout.trim().split('\n').at(-1) || '{}') }
}

describe('a model of openai-compatible', () => {
  it('[GR9] goes through the whole graph, each ask on top of the same conversation', async () => {
    const project = projectOf('openai-compatible')
    script(emulator, 'openai-compatible', [
      { text: 'First the interface.', calls: writes(good.scaffold.files) },
      finish(good.scaffold.reply),
      { calls: [['read', { path: 'src/inc.js' }], ...writes(good.tests.files)] },
      finish(good.tests.reply),
      { calls: [['read', { path: 'src/inc.js' }]] },
      { calls: [['edit', { path: 'src/inc.js', old: "throw new Error('not implemented')", new: 'return value + 2' }]] },
      run(testCommand),
      run('env'),
      { calls: [['edit', { path: 'src/inc.js', old: 'value + 2', new: 'value + 1' }]] },
      run(testCommand),
      finish(passed),
      { calls: [['search', { pattern: 'value' }]] },
      finish(approved),
    ])

    const built = await convene(project, 'build', 'spec.json', '--strategy', 'graph')

    expectExit(built, 0)
    expect(emulator.sent).toHaveLength(13)
    expect(project.read(built.report.commit!, 'src/inc.js')).toBe(code('inc').trim())
    const events = await project.events()
    expect(asked(events)).toEqual(['scaffold inc', 'write-tests inc', 'implement inc', 'review-impl inc'])
    expect(ofType(events, 'tool.used').map(({ tool, ok }) => `${tool} ${ok}`)).toEqual([
      'write true',
      'write true',
      'finish true',
      'read true',
      'write true',
      'finish true',
      'read true',
      'edit true',
      'run false',
      'run true',
      'edit true',
      'run true',
      'finish true',
      'search true',
      'finish true',
    ])
    const evidence = ofType(events, 'evidence.recorded')
    expect(evidence.map(({ purpose, exit_code }) => `${purpose} ${exit_code}`)).toEqual(['red 1', 'claim 0', 'claim 0'])

    // The model's own test runs, as it saw them: red, then green.
    const answers = toolAnswers('openai-compatible', emulator.sent[10]!.body).map(({ text }) => text)
    expect(answers[2]).toMatch(/^exit code 1\n(.*\n)*.*3 == 2/)
    expect(answers[5]).toMatch(/^exit code 0\n/)
    expect(answers[3]).toMatch(/^PATH=/m)

    // One step costs 1,000 tokens in and 50 out.
    const finished = ofType(events, 'ask.finished') as { usage: { usd: number; inputTokens: number } }[]
    expect(finished.map(({ usage }) => usage.inputTokens)).toEqual([2000, 2000, 7000, 2000])
    expect(finished.reduce((sum, { usage }) => sum + usage.usd, 0)).toBeCloseTo(13 * 0.0025, 9)
    const { stdout } = await project.convene('runs')
    expect(stdout).toContain(built.report.run)

    const first = [0, 2, 4, 11].map((index) => emulator.sent[index]!.body.messages as unknown[])
    // Test author and implementer start from the spec and the scaffold; the reviewer continues as the test author.
    expect(first.slice(0, 3).map((messages) => messages.length)).toEqual([2, 4, 4])
    const fronts = first.slice(1).map((messages) => JSON.stringify(messages.slice(0, 3)))
    expect(new Set(fronts).size).toBe(1)
    expect(JSON.stringify(first[1]![0])).toBe(JSON.stringify(first[0]![0]))
    expect(JSON.stringify(first[3]!.slice(0, 4))).toBe(JSON.stringify(first[1]))
    const tests = Object.keys(good.tests.files)[0]!
    expect(JSON.stringify(first[3]!.slice(4))).toContain(tests)
    keepsSecret(project, JSON.stringify(events))
  }, 240_000)
})

describe.each(Object.keys(models) as ModelProvider[])('a model of %s', (provider) => {
  it('builds a small spec alone: writes, sees red, fixes it, ends with its claim', async () => {
    const project = projectOf(provider)
    const tests = testFile('inc', { 'inc-1: adds one': 'assert.equal(inc(1), 2)' })
    script(emulator, provider, [
      { text: 'I begin.', calls: [['list', {}], write('test/inc.test.js', tests)] },
      { calls: [write('src/inc.js', code('inc', 'value - 1'))] },
      run(testCommand),
      // Claims without the fix: a clean checkout reveals it, and the claim is sent back.
      finish(passed),
      { calls: [write('test/inc.test.js', tests), write('src/inc.js', code('inc'))] },
      run(testCommand),
      finish(passed),
      finish(approved),
    ])

    const built = await convene(project, 'build', 'spec.json')

    expectExit(built, 0)
    const events = await project.events()
    expect(ofType(events, 'build.started')).toEqual([expect.objectContaining({ strategy: 'solo', rehearsal: false })])
    expect(asked(events)).toEqual(['implement inc', 'implement inc', 'review-impl inc'])
    expect(ofType(events, 'reply.refused')).toEqual([
      expect.objectContaining({ attempt: 1, problems: [expect.objectContaining({ rule: 'VF4' })] }),
    ])
    expect(JSON.stringify(emulator.sent[4]!.body)).toContain('[VF4]')
    const answers = toolAnswers(provider, emulator.sent[3]!.body).map(({ text }) => text)
    expect(answers.at(-1)).toMatch(/^exit code 1\n/)
    expect(project.read(built.report.commit!, 'src/inc.js')).toBe(code('inc').trim())
    const usd = (ofType(events, 'ask.finished') as { usage: { usd: number } }[]).map(({ usage }) => usage.usd)
    expect(usd[0]! + usd[1]!).toBeCloseTo(7 * 0.0025, 9)
    keepsSecret(project, JSON.stringify(events))
  }, 240_000)
})

describe('a model that misbehaves', () => {
  it('[VF6] cannot leave its worktree, hang the build or flood it; the build continues', async () => {
    const project = projectOf('openai-compatible', { command_seconds: 10 })
    const outside = join(project.folder, '../outside.txt')
    const tests = testFile('inc', { 'inc-1: adds one': 'assert.equal(inc(1), 2)' })
    const files: [string, unknown][] = [write('test/inc.test.js', tests), write('src/inc.js', code('inc'))]
    script(emulator, 'openai-compatible', [
      {
        calls: [
          write('../outside.txt', 'out'),
          write(outside, 'out'),
          ['read', { path: '/etc/passwd' }],
          ['read', { path: '../../script.yaml' }],
          ['list', { path: '../..' }],
          ['edit', { path: '.git', old: 'gitdir', new: 'x' }],
        ],
      },
      run('sleep 60017'),
      run('yes 0123456789abcdef | head -c 100000000'),
      run(`echo out > ${JSON.stringify(outside)}; (sleep 60017 &) ; echo left`),
      run('mkdir -p src && ln -s /etc/passwd src/secrets.js && cat src/secrets.js'),
      { calls: files },
      finish(passed),
      { calls: files },
      finish(passed),
      finish(approved),
    ])

    const built = await convene(project, 'build', 'spec.json')

    expectExit(built, 0)
    const events = await project.events()
    const tools = ofType(events, 'tool.used').map(({ tool, ok }) => `${tool} ${ok}`)
    expect(tools.slice(0, 6)).toEqual([
      'write false',
      'write false',
      'read false',
      'read false',
      'list false',
      'edit false',
    ])
    const answers = toolAnswers('openai-compatible', emulator.sent[5]!.body).map(({ text }) => text)
    expect(answers[6]).toMatch(/^ended: it took too long/)
    expect(answers[7]!.length).toBeLessThan(100_000)
    expect(answers[8]).toContain('left')
    for (const { body } of emulator.sent) expect(JSON.stringify(body).length).toBeLessThan(1_000_000)
    const [refused] = ofType(events, 'reply.refused')
    expect(refused).toMatchObject({ attempt: 1, problems: [{ rule: 'VF6', path: 'src/secrets.js' }] })
    expect(project.git('ls-tree', '-r', '--name-only', built.report.commit!)).not.toContain('secrets.js')
    const isSandboxed = ofType(events, 'evidence.recorded').every(({ sandboxed }) => sandboxed)
    if (isSandboxed) expect(existsSync(outside)).toBe(false)
    const left = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).match(/^sleep 60017$/gm) ?? []
    expect(left).toEqual([])
    keepsSecret(project, JSON.stringify(events))
  }, 400_000)

  it('[GR4] and never ends goes to a person, and leaves nothing behind once they give up', async () => {
    const project = projectOf('openai-compatible', { caps: { attempts: 1 } })
    script(emulator, 'openai-compatible', [{ calls: [['list', {}]] }])
    const built = await convene(project, 'build', 'spec.json')
    expectExit(built, 3)
    const [question] = built.report.questions!
    expect(question!.text).toContain('cap: attempts')
    expectExit(await convene(project, 'answer', question!.id, 'give up'), 0)
    const resumed = await convene(project, 'resume', built.report.run)
    expectExit(resumed, 1)
    expect(resumed.report).toMatchObject({ status: 'failed', reason: expect.stringContaining('given up') })
    expect(project.git('worktree', 'list').split('\n')).toHaveLength(1)
    expect(emulator.sent.length).toBeLessThan(200)
  }, 240_000)
})

/** The key is in no event, no prompt, no payload and no commit. */
function keepsSecret(project: Project, events: string): void {
  expect(events).not.toContain(secretKey)
  expect(JSON.stringify(emulator.sent.map(({ body }) => body))).not.toContain(secretKey)
  const state = join(project.folder, '.convene')
  for (const name of readdirSync(state, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()))
    expect(readFileSync(join(name.parentPath, name.name)).includes(secretKey), name.name).toBe(false)
  for (const line of project.git('rev-list', '--all', '--objects').split('\n')) {
    const [hash] = line.split(' ')
    if (project.git('cat-file', '-t', hash!) === 'blob')
      expect(project.git('cat-file', 'blob', hash!)).not.toContain(secretKey)
  }
}
