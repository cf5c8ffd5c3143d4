/** Agents of a plan read the project: models behind the emulator that call tools in the phases that may. RD14. */
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadProvider } from '../../src/agents/models/providers.ts'
import { describeFacts, gatherFacts } from '../../src/plan/project-facts.ts'
import { withoutSections } from '../../src/rules/text/markdown-sections.ts'
import { Emulator, models, secretKey } from '../agents/emulator.ts'
import { commitFiles, git, gitProject } from '../support/git-project.ts'
import { serve } from '../support/server.ts'
import { agreeable, planFolder, ServedPlan } from './project.ts'

const provider = 'openai-compatible'
const emulator = new Emulator()
beforeAll(async () => {
  await emulator.start()
  await Promise.all([import('ai'), loadProvider(provider)])
})
beforeEach(() => {
  emulator.sent.length = 0
})
afterAll(() => emulator.stop())

const files = {
  'package.json': JSON.stringify({ name: 'till', description: 'Adds up a basket.', devDependencies: { vitest: '5' } }),
  'src/price.ts': `/** Prices in cents. */\nexport const limit = 4711\n${'// nothing of interest\n'.repeat(300)}export function roundPrice(cents: number) {\n  return cents\n}\n`,
}

describe('agents of a plan', () => {
  it('[RD14] read the source in phases 2, 4, 6b and 7 and in no other; the artefacts name the files', async () => {
    const plan = await planWithTools({}, 'standard')
    expect(await plan.settled()).toMatchObject({ status: 'done' })
    const phases = new Map(emulator.sent.map(({ body }) => [phaseOf(body), body]))
    for (const phase of ['2', '4', '6b', '7']) {
      const body = phases.get(phase)!
      expect([phase, JSON.stringify(body.tools).includes('"search"')]).toEqual([phase, true])
      expect(systemOf(body)).toContain('- src/price.ts: Prices in cents. [limit: number')
    }
    for (const phase of ['3', '6 or 8', '9']) {
      expect([phase, phases.get(phase)!.tools]).toEqual([phase, undefined])
      expect([phase, phases.get(phase)!.response_format]).toEqual([
        phase,
        expect.objectContaining({ type: 'json_schema' }),
      ])
      expect(systemOf(phases.get(phase)!)).not.toContain('# The project, as of commit')
    }
    // The design was written from what the tool showed.
    expect(plan.files.read('design.md')).toContain('The limit is 4711.')
    expect(plan.files.read('design.md')).toContain('_Source read: src/price.ts._')
    expect(plan.files.read('test-plan.md')).toContain('_Source read: src/price.ts._')
    const tools = (await plan.events()).filter(({ type }) => type === 'tool.used')
    expect(tools.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ tool: 'read', file: 'src/price.ts', ok: true, agent: 'model' }),
    )
  })

  it('[RD14] see first where the code is that the goal names', async () => {
    const plan = await planWithTools({}, 'rapid', 'Let roundPrice(cents) round half up')
    expect(await plan.settled()).toMatchObject({ status: 'done' })
    const { body } = emulator.sent.find((one) => phaseOf(one.body) === '2')!
    expect(systemOf(body)).toContain('## Named in the request\n- src/price.ts:303: export function roundPrice(')
  })

  it('[RD14] with plan.tools off get facts only', async () => {
    const plan = await planWithTools({ tools: 'off' })
    expect(await plan.settled()).toMatchObject({ status: 'done' })
    expect(emulator.sent.filter(({ body }) => body.tools !== undefined)).toEqual([])
    expect(plan.files.read('design.md')).not.toContain('Source read')
  })
})

describe('facts about a project', () => {
  it('[RD14] come from the last commit: what still exists, tests by the runner, scripts', async () => {
    const folder = gitProject({
      'package.json': JSON.stringify({ scripts: { test: 'xo && ava' }, devDependencies: { ava: '6' } }),
      'index.js': 'export default 1\n',
      'test.js': 'import test from "ava"\n',
      'test/helpers/data.js': 'export const data = 1\n',
      'old.js': '1\n',
    })
    for (let version = 0; version < 3; version++) {
      commitFiles(folder, { 'old.js': `${version}`, 'package-lock.json': `${version}` }, `Change ${version}`)
    }
    commitFiles(folder, { 'index.js': 'export default 2\n' }, 'Change the default')
    git(folder, 'rm', '--quiet', 'old.js')
    commitFiles(folder, {}, 'Remove the old')
    const facts = await gatherFacts(folder, process.env)
    expect(facts.hotFiles).toEqual([
      { path: 'index.js', changes: 2 },
      { path: 'package.json', changes: 1 },
      { path: 'test.js', changes: 1 },
      { path: 'test/helpers/data.js', changes: 1 },
    ])
    expect(facts).toMatchObject({ testFiles: 1, testRunners: ['ava'], scripts: { test: 'xo && ava' } })
    expect(describeFacts(facts)).toContain('5 tracked files, 1 of them tests by the conventions of ava (test.js)')
    expect(describeFacts(facts)).toContain('Changed most often in the last 200 commits: index.js (2)')
  })

  it('[RD14] name the configured commands, the readme in a paragraph, and rules that stay in their section', async () => {
    const folder = gitProject({
      'package.json': JSON.stringify({ scripts: { test: 'ava', build: 'tsc' } }),
      'README.md': `# ufo\n\nURL utils for humans.\n\n## Install\n\n${'More words. '.repeat(900)}`,
      'AGENTS.md': `# Rules\n\n## Code\n\nNo classes.\n\n${'A long rule.\n\n'.repeat(500)}`,
    })
    const commands = { setup: 'npm install', test: 'npx vitest run' }
    const facts = describeFacts(await gatherFacts(folder, process.env, commands))
    expect(facts).toMatch(/^- Commands: setup `npm install`, build `[^`]*build`, test `npx vitest run`$/m)
    expect(facts).toContain('- About: URL utils for humans.\n')
    expect(facts).not.toContain('More words')
    expect(facts).toContain('### AGENTS.md\n#### Rules\n\n#### Code\n\nNo classes.')
    expect(facts).toContain('A long rule.\n… (cut; AGENTS.md has more)')
    expect(withoutSections(`## Facts\n\n${facts}\n\n## Findings\n\nTwo.`, ['Facts'])).toBe('## Findings\n\nTwo.')
  })

  it('[RD14] count changes over the last 200 commits alone', async () => {
    const folder = gitProject({ 'old.js': '1\n', 'new.js': '1\n' })
    const change = (file: string, number: number) =>
      `commit refs/heads/main\ncommitter A <a@b.c> ${1_800_000_000 + number} +0000\ndata 1\nx\n${number === 0 ? 'from refs/heads/main^0\n' : ''}M 644 inline ${file}\ndata ${`${number}`.length}\n${number}\n`
    const stream = Array.from({ length: 210 }, (_, number) => change(number < 10 ? 'old.js' : 'new.js', number))
    execFileSync('git', ['fast-import', '--quiet'], { cwd: folder, input: stream.join('') })
    expect((await gatherFacts(folder, process.env)).hotFiles).toEqual([{ path: 'new.js', changes: 200 }])
  })
})

async function planWithTools(
  plan: Record<string, unknown>,
  mode = 'rapid',
  goal = 'Raise the limit',
): Promise<ServedPlan> {
  emulator.mock.clearFixtures()
  emulator.mock.on({ predicate: () => true }, ({ messages, tools }) => {
    const prompt = String(messages.findLast(({ role }) => role === 'user')?.content)
    const shown = messages.findLast(({ role }) => role === 'tool')?.content
    if (tools?.length && shown === undefined)
      return {
        toolCalls: [{ name: 'read', arguments: JSON.stringify({ path: 'src/price.ts', lines: 2 }), id: 'call_1' }],
      }
    return { content: replyTo(prompt, /limit = (\d+)/.exec(String(shown))?.[1]) }
  })
  const base = { provider, model: models[provider], base_url: emulator.baseUrl(provider), api_key_env: 'LIVE_KEY' }
  const folder = planFolder({
    config: { agents: { model: base }, roles: {}, source: { map_tokens: 600 } },
    plan,
    files,
  })
  const served = await serve({}, { folder, env: { LIVE_KEY: secretKey } })
  const { body } = await served.call('POST', '/api/plans', { goal, mode })
  const { id, plan: name } = body as { id: string; plan: string }
  return new ServedPlan(served, id, name, [])
}

function replyTo(prompt: string, limit: string | undefined): string {
  const [, form = ''] = /Reply in this form: (.*)\.$/m.exec(prompt) ?? []
  if (form === 'a view of your own') return JSON.stringify({ output: `The limit is ${limit}.`, positions: [] })
  if (form === 'a synthesis')
    return JSON.stringify({ artefact: `## Approach\n\nThe limit is ${limit}.`, summary: 'Raise it.' })
  if (form === 'a vote') return JSON.stringify({ points: 9, out_of: 10 })
  if (form === 'contradictions') return JSON.stringify({ contradictions: [] })
  if (form === 'findings of a review') return JSON.stringify({ findings: [] })
  return JSON.stringify(agreeable[form === 'scores' ? 0 : 1]!.reply)
}

interface Body {
  messages?: { role: string; content: string }[]
  tools?: unknown
  response_format?: unknown
}

function systemOf({ messages = [] }: Body): string {
  return messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => content)
    .join('\n')
}

function phaseOf({ messages = [] }: Body): string {
  const prompt = messages.findLast(({ role }) => role === 'user')!.content
  if (/Find out what this request means/.test(prompt)) return '2'
  if (/Design how the request is met/.test(prompt)) return '4'
  if (/Plan the tests/.test(prompt)) return '7'
  if (/Reply in this form: findings of a review/.test(prompt)) return '6b'
  if (/Reply in this form: a vote/.test(prompt)) return '6 or 8'
  return /Reply in this form: scores/.test(prompt) ? '3' : '9'
}
