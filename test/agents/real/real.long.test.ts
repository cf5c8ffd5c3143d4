/** The four real coding agents, each with an emulated model on loopback, through the command. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { approved, buildProject, code, expectExit, honest, ofType, specOf, testFile } from '../../build/project.ts'
import { lastJson } from '../../support/convene.ts'
import { installManifest } from '../../support/installed-packages.ts'
import { runResident } from '../../support/resident-command.ts'
import { clis, type RealCli, realAgent } from './clis.ts'
import { type EmulatedMind, emulatedMind, type MindStep } from './emulated-mind.ts'

// opencode puts its program in place in an install script.
const installed = await installManifest('agents', join(import.meta.dirname, 'agents.json'), { scripts: true })
const reason = 'missing' in installed ? installed.missing : undefined
if (reason) console.warn(`skipped: real coding agents: ${reason}`)
const bin = 'modules' in installed ? join(installed.modules, '.bin') : ''
/** Not below /tmp: Codex hides that from its own sandbox. */
const homes = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'convene-tests', `homes-${process.pid}`)
afterAll(() => rmSync(homes, { recursive: true, force: true, maxRetries: 5 }))

const passed = { TestsPassed: { iterations: 1, passedTests: [] } }
const inc = {
  'src/inc.js': code('inc'),
  'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2); assert.equal(inc(5), 6)' }),
}

/** A real agent takes its time on a busy machine. */
const patience = { timeout: 900_000 }

describe.skipIf(reason !== undefined)(reason ? `real coding agents (${reason})` : 'real coding agents', () => {
  it.each(clis)('$agent answers in a room from a file, after its model failed twice', patience, async (cli) => {
    const { project, mind } = await projectWith({ coder: cli }, { 'secret.txt': 'marzipan 4711\n' })
    mind.tasks.push({
      about: 'Which word is in secret.txt?',
      steps: [...reading(cli, 'secret.txt'), { say: 'The word is marzipan.' }],
    })
    mind.failing = 2
    const ended = await runResident(['ask', 'Which word is in secret.txt?', '--to', 'coder', '--json'], {
      cwd: project.folder,
    })
    expect(ended, ended.stderr).toMatchObject({ code: 0 })
    const { items } = lastJson<{ items: { sender: string; text: string }[] }>(ended)
    expect(items.find(({ sender }) => sender === 'coder')!.text.trim()).toBe('The word is marzipan.')
    // The model saw what the tool had read.
    expect(mind.requests.some(({ text }) => text.includes('marzipan 4711'))).toBe(true)
    expect(project.git('status', '--porcelain')).toBe('')
  })

  it.each(clis)('$agent builds what is merged, and may not write elsewhere', patience, async (cli) => {
    const { project, mind } = await projectWith({ coder: cli })
    // Codex may write below /tmp, where the project is.
    const outside = join(homes, `${cli.agent}-outside.txt`)
    mind.tasks.push({
      about: '# Build inc',
      steps: [{ ...writing(cli, 'x', ''), arguments: () => cli.write(outside, 'no').arguments }, ...working(cli, inc)],
    })
    // A refusal ends the turn of some agents; the next attempt does without.
    mind.tasks.push({ about: 'after it was refused', steps: working(cli, inc) })
    const built = await project.build('--strategy', 'solo', '--merge')
    expectExit(built, 0)
    expect(built.report).toMatchObject({ merged: true })
    expect(project.read('main', 'src/inc.js')).toContain('value + 1')
    expect(existsSync(outside)).toBe(false)
    expect(ofType(await project.events(), 'tool.used').length).toBeGreaterThan(1)
  })

  it('three vendors build together: one writes the tests, one the code, one reviews', patience, async () => {
    const [claude, codex, gemini] = clis as readonly [RealCli, RealCli, RealCli]
    const roles = { scaffold: 'claude', tdd: 'claude', impl: 'codex', reviewer: 'gemini' }
    const { project, minds } = await projectWith({ claude, codex, gemini }, {}, roles)
    const { scaffold, tests } = honest(specOf('inc'))
    minds.claude!.tasks.push(
      { about: '# Scaffold inc', steps: working(claude, scaffold.files, scaffold.reply) },
      { about: '# Write the tests of inc', steps: working(claude, tests.files, tests.reply) },
    )
    minds.codex!.tasks.push({ about: '# Implement inc', steps: working(codex, { 'src/inc.js': code('inc') }) })
    minds.gemini!.tasks.push({
      about: '# Review the implementation of inc',
      steps: [...reading(gemini, 'src/inc.js'), ...working(gemini, {}, approved)],
    })
    const built = await project.build('--strategy', 'graph', '--merge')
    expectExit(built, 0)
    expect(built.report).toMatchObject({ merged: true })
    const asks = ofType(await project.events(), 'ask.finished').map(({ agent, kind }) => `${agent} ${kind}`)
    expect(asks).toEqual(['claude scaffold', 'claude write-tests', 'codex implement', 'gemini review-impl'])
  })
})

const reading = (cli: RealCli, path: string): MindStep[] => [
  { tool: cli.read(path).name, arguments: (folder) => cli.read(join(folder, path)).arguments },
]

const writing = (cli: RealCli, path: string, content: string): MindStep => ({
  tool: cli.write(path, content).name,
  arguments: (folder) => cli.write(join(folder, path), content).arguments,
})

const working = (cli: RealCli, files: Record<string, string>, reply: unknown = passed): MindStep[] => [
  ...Object.entries(files).map(([path, content]) => writing(cli, path, content)),
  { tool: /emit_exit/, arguments: () => reply as Record<string, unknown>, say: JSON.stringify(reply) },
  { say: 'Done.' },
]

async function projectWith(agents: Record<string, RealCli>, files: Record<string, string> = {}, roles?: object) {
  const minds: Record<string, EmulatedMind> = {}
  const entries: Record<string, unknown> = {}
  const project = buildProject({
    spec: specOf('inc'),
    lines: [{ when: { ask: 'review-impl' }, reply: approved }],
    files,
  })
  for (const [name, cli] of Object.entries(agents)) {
    const mind = await emulatedMind(project.worktrees)
    onTestFinished(() => mind.close())
    const home = join(homes, `${name}-${Object.keys(minds).length}-${Math.random().toString(36).slice(2, 8)}`)
    mkdirSync(home, { recursive: true })
    minds[name] = mind
    entries[name] = realAgent(cli, { home, url: mind.url, bin })
  }
  const config = JSON.parse(readFileSync(join(project.folder, 'convene.yaml'), 'utf8'))
  config.agents = { ...entries, critic: { provider: 'rehearsal', script: '../script.yaml', helper: true } }
  config.roles = roles ?? { impl: 'coder', tdd: 'critic' }
  project.write({ 'convene.yaml': JSON.stringify(config) })
  project.git('commit', '--quiet', '--all', '--message=agents')
  return { project, minds, mind: Object.values(minds)[0]! }
}
