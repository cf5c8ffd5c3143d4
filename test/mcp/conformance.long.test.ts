/** The MCP server as the protocol's own tools see it: the inspector over both transports, and the conformance suite. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { command, rehearsalProject, withoutKeys } from '../support/convene.ts'
import { gitProject } from '../support/git-project.ts'
import { type Installed, installPackages } from '../support/installed-packages.ts'
import { serve } from '../support/server.ts'
import { tokenProxy } from './token-proxy.ts'

let installed: Installed
beforeAll(async () => {
  installed = await installPackages('mcp-tools', {
    '@modelcontextprotocol/inspector': '2.12.0',
    '@modelcontextprotocol/conformance': '0.1.16',
  })
}, 1_300_000)

function program(context: TestContext, path: string): string {
  if ('missing' in installed) return context.skip(installed.missing)
  return join(installed.modules, '@modelcontextprotocol', path)
}

interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** A program that fails is a result here. */
function runProgram(args: string[], folder: string): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...withoutKeys(process.env), HOME: folder, MCP_CATALOG_PATH: join(folder, 'catalog.json') }
    const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 }
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr })
    })
  })
}

const project = rehearsalProject(
  `
- when: { ask: micro-proposal }
  repeat: true
  reply: { angle: all of it, confidence: 0.9, covers: [all], solo_sufficient: true }
- when: { ask: answer }
  repeat: true
  text: Use a queue.
`,
  'build: { test: node --test }\n',
)

const spec = {
  id: 'inc',
  description: 'Adds one',
  acceptanceCriteria: [{ id: 'adds', text: 'inc(1) is 2' }],
  targetPath: 'src/inc.js',
  testPath: 'test/inc.test.js',
}

/** Every tool with arguments, and what its answer contains. Work is not waited for: the inspector calls once and leaves. */
const calls: [tool: string, args: Record<string, unknown>, answer: RegExp][] = [
  ['convene_ask', { text: 'Which queue?', to: ['gpt'] }, /Use a queue\./],
  ['convene_plan', { goal: 'Count lines', wait: false }, /running/],
  ['convene_ship', { goal: 'Count lines', wait: false }, /running/],
  ['convene_build', { spec, wait: false }, /running/],
  ['convene_status', {}, /features/],
  ['convene_questions', {}, /questions/],
  ['convene_answer', { id: 'none', answer: 'x' }, /unknown_question/],
  ['convene_stop', { run: 'none' }, /unknown_run/],
  ['convene_decide', { rule: 'risk', input: { prompt: 'drop table users' } }, /flags/],
]

describe('the inspector', () => {
  for (const transport of ['stdio', 'http'] as const)
    it(`lists and calls every tool over ${transport}`, async (context) => {
      const inspector = program(context, 'inspector/clients/launcher/build/index.js')
      const folder = gitProject(project)
      const served =
        transport === 'http'
          ? await serve({}, { folder, env: { PATH: process.env.PATH!, HOME: process.env.HOME! } })
          : null
      const target = served
        ? [
            `${served.server.url}/mcp`,
            '--transport',
            'http',
            '--header',
            `Authorization: Bearer ${served.server.token}`,
          ]
        : [command, 'mcp', '-C', folder]
      // On a busy machine it would give up after 15 s.
      const patient = ['--connect-timeout', '240000']
      const inspect = (...args: string[]) => runProgram([inspector, '--cli', ...target, ...patient, ...args], folder)
      const listed = await inspect('--method', 'tools/list', '--strict')
      expect(listed, listed.stderr).toMatchObject({ code: 0 })
      const names = (JSON.parse(listed.stdout) as { tools: { name: string }[] }).tools.map(({ name }) => name)
      expect(names.sort()).toEqual(calls.map(([name]) => name).sort())
      for (const [name, args, answer] of calls) {
        const given = Object.entries(args).map(
          ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
        )
        const pairs = given.flatMap((pair) => ['--tool-arg', pair])
        const { stdout, stderr } = await inspect('--method', 'tools/call', '--tool-name', name, ...pairs)
        expect(`${name}: ${stdout}${stderr}`).toMatch(answer)
      }
    })
})

describe('the conformance suite', () => {
  /** The others call tools, prompts and resources of the suite's own example server. */
  const applicable = [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
  ]
  it('passes every scenario that applies', async (context) => {
    const suite = program(context, 'conformance/dist/index.js')
    const served = await serve(project)
    const address = await tokenProxy(served.server)
    const failed: string[] = []
    for (const scenario of applicable) {
      const args = [suite, 'server', '--url', `${address}/mcp`, '--scenario', scenario]
      const { code, stdout, stderr } = await runProgram(args, served.folder)
      if (code !== 0 || !/Passed: [1-9]\d*\/\d+, 0 failed/.test(stdout)) failed.push(`${scenario}: ${stdout}${stderr}`)
    }
    expect(failed).toEqual([])
  })
})
