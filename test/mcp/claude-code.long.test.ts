/** The plugin in the real Claude Code, with an emulated model: it is valid, installs, and `/convene:ask` and `/convene:ship` work. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { beforeAll, expect, it, onTestFinished, type TestContext } from 'vitest'
import { startOwner } from '../../src/cli/client/owner-link.ts'
import { loadConfig } from '../../src/kernel/config/load.ts'
import { planFolder } from '../plan/project.ts'
import { command, rehearsalProject, root, temporaryFolder } from '../support/convene.ts'
import { type Installed, installPackages } from '../support/installed-packages.ts'

const version = '2.1.326'
const plugin = join(root, 'integrations/claude-code')

let installed: Installed
beforeAll(async () => {
  installed = await installPackages('claude-code', { [`@anthropic-ai/claude-code-${platform()}-${arch()}`]: version })
}, 1_300_000)

function claudeCode(context: TestContext): string {
  if ('missing' in installed) return context.skip(installed.missing)
  return join(installed.modules, `@anthropic-ai/claude-code-${platform()}-${arch()}`, 'claude')
}

interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** Runs Claude Code with a home of its own and without anything that leaves the machine. */
function runner(program: string, model: string) {
  const home = temporaryFolder()
  const bin = join(home, 'bin')
  mkdirSync(bin)
  // Convene's server starts as late as on a busy machine.
  const late = `#!/bin/sh\n[ "$1" != mcp ] || sleep 6\nexec '${command}' "$@"\n`
  writeFileSync(join(bin, 'convene'), late, { mode: 0o755 })
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, 'config'),
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: 'test',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    ENABLE_TOOL_SEARCH: 'false',
    // The first request to the model waits for the tools, and not only for the five seconds that are usual.
    MCP_CONNECTION_NONBLOCKING: '0',
    MCP_CONNECT_TIMEOUT_MS: '240000',
    MCP_TIMEOUT: '240000',
    MCP_TOOL_TIMEOUT: '240000',
  }
  return (args: string[], cwd: string) =>
    new Promise<Ended>((resolve) => {
      const child = execFile(program, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr })
      })
      child.stdin?.end()
    })
}

interface Asked {
  messages: { role: string; content: unknown }[]
  tools?: { name?: string; function?: { name: string } }[]
}

/** A model that calls one tool and repeats its result. */
async function emulatedModel(tool: string, input: object): Promise<{ url: string; prompts: string[] }> {
  const mock = new LLMock({ port: 0, logLevel: 'silent' })
  const prompts: string[] = []
  mock.on({ predicate: () => true }, async (request) => {
    const { messages, tools = [] } = request as unknown as Asked
    const names = tools.map(({ name, function: called }) => called?.name ?? name ?? '')
    const offered = names.find((name) => name.endsWith(tool))
    const result = messages.findLast(({ role }) => role === 'tool')
    if (offered && !result) {
      prompts.push(JSON.stringify(messages))
      return { toolCalls: [{ id: 'call_1', name: offered, arguments: JSON.stringify(input) }], finishReason: 'stop' }
    }
    return { content: result ? `The tool says: ${JSON.stringify(result.content)}` : 'nothing to do' }
  })
  await mock.start()
  onTestFinished(() => mock.stop().then(() => {}))
  return { url: mock.url, prompts }
}

/** Claude Code with the plugin installed. */
async function withPlugin(program: string, model: string, project: string) {
  const claude = runner(program, model)
  expect(await claude(['plugin', 'validate', plugin], project)).toMatchObject({ code: 0 })
  expect(await claude(['plugin', 'marketplace', 'add', plugin], project)).toMatchObject({ code: 0 })
  expect(await claude(['plugin', 'install', 'convene@convene'], project)).toMatchObject({ code: 0 })
  return claude
}

it('is valid, installs with one line, and /convene:ask brings the answer of the room', async (context) => {
  const program = claudeCode(context)
  const model = await emulatedModel('convene_ask', { text: 'QUESTION-MARK Which queue?', to: ['gpt'] })
  const script = '- when: { ask: answer, contains: QUESTION-MARK }\n  text: REPLY-MARK use a queue.\n'
  const project = temporaryFolder(rehearsalProject(script))
  const claude = await withPlugin(program, model.url, project)
  // Claude Code asks its model before an MCP server has started, unless the server is marked so.
  const servers = JSON.parse(readFileSync(join(plugin, '.mcp.json'), 'utf8'))
  expect(servers).toMatchObject({ mcpServers: { convene: { alwaysLoad: true } } })
  const answered = await claude(['-p', '/convene:ask QUESTION-MARK Which queue?'], project)
  expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining('REPLY-MARK use a queue.') })
  // The command's own words reached the model.
  expect(model.prompts[0]).toContain('Call the tool `convene_ask`')
})

it('starts a ship with /convene:ship, which goes on in the server of the project', async (context) => {
  const program = claudeCode(context)
  const goal = 'Report the lines of a file'
  const model = await emulatedModel('convene_ship', { goal, mode: 'rapid', yes: true, wait: false })
  const folder = planFolder({ config: { build: { test: 'node --test' } } })
  const { app } = await announced(folder)
  const claude = await withPlugin(program, model.url, folder)
  const answered = await claude(['-p', `/convene:ship ${goal}`], folder)
  expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining('running') })
  expect(model.prompts[0]).toContain('Never answer for them')
  expect(await app.runs.list()).toContainEqual(expect.objectContaining({ kind: 'ship', title: goal }))
})

/** The project's owner, in this process. */
async function announced(folder: string) {
  const { PATH, HOME } = process.env as Record<string, string>
  const env = { PATH: PATH!, HOME: HOME! }
  const owned = await startOwner(loadConfig({ folder, env }), env, { port: 0 })
  onTestFinished(() => owned!.close())
  return owned!
}

it('hints in prompts about planning, through the installed command, and says nothing without it', async () => {
  const bin = temporaryFolder()
  symlinkSync(command, join(bin, 'convene'))
  const hint = (path: string) =>
    new Promise<Ended>((resolve) => {
      const file = join(plugin, 'hooks/plan-hint.mjs')
      const child = execFile(process.execPath, [file], { env: { PATH: path } }, (error, stdout, stderr) =>
        resolve({ code: error ? 1 : 0, stdout, stderr }),
      )
      child.stdin?.end(JSON.stringify({ prompt: 'Plan the oauth migration of billing' }))
    })
  expect(await hint(bin)).toMatchObject({ code: 0, stdout: expect.stringContaining('Convene suggests') })
  expect(await hint(temporaryFolder())).toEqual({ code: 0, stdout: '', stderr: '' })
})
