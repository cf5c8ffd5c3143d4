/** The plugin in the real Claude Code, with an emulated model: it is valid, installs, and `/convene:ask` asks the room. */
import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { beforeAll, expect, it, onTestFinished, type TestContext } from 'vitest'
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
  symlinkSync(command, join(bin, 'convene'))
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
    // Convene may start slowly on a busy machine: the first request waits for its tools.
    MCP_CONNECTION_NONBLOCKING: '0',
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

it('is valid, installs with one line, and brings the answer of the room', async (context) => {
  const program = claudeCode(context)
  const mock = new LLMock({ port: 0, logLevel: 'silent' })
  const seen: string[] = []
  mock.on({ predicate: () => true }, async (request) => {
    const { messages, tools = [] } = request as unknown as Asked
    const names = tools.map(({ name, function: called }) => called?.name ?? name ?? '')
    const ask = names.find((name) => name.endsWith('convene_ask'))
    const result = messages.findLast(({ role }) => role === 'tool')
    if (ask && !result) {
      seen.push(JSON.stringify(messages))
      const question = { text: 'QUESTION-MARK Which queue?', to: ['gpt'] }
      return { toolCalls: [{ id: 'call_1', name: ask, arguments: JSON.stringify(question) }], finishReason: 'stop' }
    }
    return { content: result ? `The room says: ${JSON.stringify(result.content)}` : 'nothing to do' }
  })
  await mock.start()
  onTestFinished(() => mock.stop().then(() => {}))
  const claude = runner(program, mock.url)
  const project = temporaryFolder(
    rehearsalProject('- when: { ask: answer, contains: QUESTION-MARK }\n  text: REPLY-MARK use a queue.\n'),
  )

  expect(await claude(['plugin', 'validate', plugin], project)).toMatchObject({ code: 0 })
  expect(await claude(['plugin', 'marketplace', 'add', plugin], project)).toMatchObject({ code: 0 })
  expect(await claude(['plugin', 'install', 'convene@convene'], project)).toMatchObject({ code: 0 })

  const answered = await claude(['-p', '/convene:ask QUESTION-MARK Which queue?'], project)
  expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining('REPLY-MARK use a queue.') })
  // The command's own words reached the model.
  expect(seen[0]).toContain('Call the tool `convene_ask`')
})

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
