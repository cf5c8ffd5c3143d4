/** Another client of the agent client protocol, `acpx`, and Convene drive the same agents with the same result. */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it, type TestContext } from 'vitest'
import { lastJson, temporaryFolder } from '../support/convene.ts'
import { fakeCodingAgent } from '../support/fake-coding-agent.ts'
import { gitProject } from '../support/git-project.ts'
import { type Installed, installPackages } from '../support/installed-packages.ts'
import { runResident } from '../support/resident-command.ts'
import { clis } from './real/clis.ts'
import { patience, reading, realProject, reason } from './real/project.ts'

let installed: Installed
beforeAll(async () => {
  installed = await installPackages('acpx', { acpx: '0.19.1' })
}, 1_300_000)

const question = 'What is the word?'

it('a scripted agent: reads through the client, is refused an edit, and answers', async (context) => {
  const scratch = temporaryFolder()
  const fake = fakeCodingAgent(scratch, {
    prompts: [
      {
        contains: question,
        do: [
          { think: 'Where is it?' },
          { tool: { kind: 'read', title: 'Read secret.txt', rawInput: { file_path: 'secret.txt' } } },
          { say: 'The word is ' },
          { clientRead: 'secret.txt' },
          {
            permission: { kind: 'edit', title: 'Write left.txt', locations: [{ path: 'left.txt' }] },
            ifAllowed: [{ say: ', which I wrote down.' }],
            ifDenied: [{ say: ', which I may not write down.' }],
          },
        ],
      },
    ],
  })
  const agents = { coder: { provider: 'acp', command: fake.command } }
  const folder = gitProject({ 'secret.txt': 'marzipan', 'convene.yaml': JSON.stringify({ agents }) })

  const ours = await askConvene(folder)
  const ourMethods = methodsOf(fake)
  const theirs = await askAcpx(context, { command: fake.command.join(' '), folder, env: {} })
  expect(ours).toBe('The word is marzipan, which I may not write down.')
  expect(theirs).toBe(ours)
  expect(methodsOf(fake).slice(ourMethods.length)).toEqual(ourMethods)
})

it.skipIf(reason !== undefined)('Codex: reads a file with its own tool, and answers', patience, async (context) => {
  const codex = clis.find(({ agent }) => agent === 'codex')!
  const { project, minds, envs } = await realProject({ coder: codex }, { files: { 'secret.txt': 'marzipan' } })
  minds.coder!.tasks.push({
    about: question,
    steps: [reading(codex, 'secret.txt'), { say: 'The word is marzipan.' }],
  })
  const ours = await askConvene(project.folder)
  // Told of no worktree, the emulated model works in the folder of all worktrees.
  mkdirSync(project.worktrees, { recursive: true })
  writeFileSync(join(project.worktrees, 'secret.txt'), 'the same marzipan')
  const theirs = await askAcpx(context, { command: 'codex-acp', folder: project.worktrees, env: envs.coder! })
  expect(ours).toBe('The word is marzipan.')
  expect(theirs).toContain(ours)
  expect(minds.coder!.requests.some(({ text }) => text.includes('the same marzipan'))).toBe(true)
})

async function askConvene(folder: string): Promise<string> {
  const ended = await runResident(['ask', question, '--to', 'coder', '--json'], { cwd: folder })
  expect(ended, ended.stderr).toMatchObject({ code: 0 })
  const { items } = lastJson<{ items: { sender: string; text: string }[] }>(ended)
  return items.find(({ sender }) => sender === 'coder')!.text.trim()
}

async function askAcpx(
  context: TestContext,
  { command, folder, env }: { command: string; folder: string; env: Record<string, string> },
): Promise<string> {
  if ('missing' in installed) return context.skip(installed.missing)
  const program = join(installed.modules, 'acpx/dist/cli.js')
  const careful = ['--approve-reads', '--non-interactive-permissions', 'deny']
  const words = ['--agent', command, '--cwd', folder, '--format', 'quiet', ...careful, 'exec', question]
  const home = { PATH: process.env.PATH!, HOME: temporaryFolder(), ...env }
  return new Promise((done, reject) => {
    const child = execFile(
      process.execPath,
      [program, ...words],
      { cwd: folder, env: home },
      (error, stdout, stderr) => {
        // It exits with 5 if a permission was denied.
        if (error && error.code !== 5) reject(new Error(`${error.message}\n${stdout}\n${stderr}`))
        else done(stdout.trim())
      },
    )
    child.stdin?.end()
  })
}

function methodsOf(fake: ReturnType<typeof fakeCodingAgent>): string[] {
  return fake.received().flatMap(({ method }) => (method === undefined ? [] : [method]))
}
