/** A repository with a long history and a large feature that is nearly done, with its log. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createApp } from '../src/app.ts'
import { loadConfig } from '../src/kernel/config/load.ts'
import type { NewEvent } from '../src/kernel/events.ts'
import {
  contextInjected,
  implementationCompleted,
  issueDone,
  issueMoved,
  issueStarted,
  lockReleased,
  lockTaken,
  summaryWritten,
  testsWritten,
} from '../src/ship/events.ts'
import { eventHeader } from '../src/ship/feature-state.ts'

export const feature = 'orders'
export const commits = 50_000
export const issues = 1000
/** How many of them are done. */
export const done = 900

const firstIssueAt = 5000

/** Issue commits are spread evenly over the history, from early on to its end. */
const issueAt = (commit: number) => {
  const every = Math.floor((commits - firstIssueAt) / done)
  const number = Math.floor((commit - firstIssueAt) / every) + 1
  return commit >= firstIssueAt && (commit - firstIssueAt) % every === 0 && number <= done ? number : null
}

export const runOf = (number: number) => `run-1/issue-${number}/build`
export const fileOf = (number: number) => `src/part-${number % 40}/issue-${number}.js`

export async function layProject(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder })
  await importHistory(folder)
  // Packed, like a clone or a repository in use.
  execFileSync('git', ['gc', '--quiet'], { cwd: folder })
  execFileSync('git', ['reset', '--quiet', '--hard', 'main'], { cwd: folder })
  write(
    folder,
    'convene.yaml',
    JSON.stringify({
      agents: { coder: { provider: 'rehearsal', script: 'script.yaml' } },
      build: { test: 'node --test' },
    }),
  )
  write(folder, 'script.yaml', '[]')
  await tellStory(folder)
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function importHistory(folder: string): Promise<void> {
  const git = spawn('git', ['fast-import', '--quiet'], { cwd: folder, stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = new Promise<void>((resolve, reject) => {
    git.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`git fast-import ended with ${code}`))))
  })
  const lines: string[] = []
  for (let index = 0; index < commits; index++) {
    const number = issueAt(index)
    const subject = number === null ? subjectOf(index) : `feat(${feature}): Implement issue #${number}`
    const trailers =
      number === null
        ? ''
        : `\n\nConvene-Run: ${runOf(number)}\nConvene-Node: ${feature}-${number}\nConvene-Spec: ${feature}-${number}\nConvene-Criteria: c1, c2\nConvene-Issue: ${feature}#${number}`
    const message = `${subject}${trailers}\n`
    const text = `export const value = ${index}\n`
    const path = number === null ? `lib/module-${index % 200}/file-${index % 1000}.js` : fileOf(number)
    lines.push(
      `commit refs/heads/main\ncommitter Ada <ada@example.org> ${1_600_000_000 + index * 60} +0000\ndata ${Buffer.byteLength(message)}\n${message}`,
      `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}`,
    )
  }
  git.stdin.end(`${lines.join('\n')}\n`)
  return ended
}

const subjectOf = (index: number) => (index % 97 === 5 ? `Revert "chore: step ${index - 1}"` : `chore: step ${index}`)

async function tellStory(folder: string): Promise<void> {
  const app = await createApp(loadConfig({ folder, env: {} }), {})
  const definitions = Array.from({ length: issues }, (_, index) => ({
    number: index + 1,
    title: `Part ${index + 1} of the orders`,
    body: 'As was discussed.',
    acceptance_criteria: [
      { id: 'c1', text: 'It can be listed' },
      { id: 'c2', text: 'It can be sorted' },
    ],
    depends_on: index % 10 === 0 ? [] : [index],
    size: 'medium' as const,
    business_value: 0.5,
    risk: 0.1,
    target_path: fileOf(index + 1),
    test_path: `test/issue-${index + 1}.test.js`,
  }))
  // In the real order: greenlit first, then built one by one.
  await app.features.greenlight(feature, definitions)
  for (let number = 1; number <= done; number++) await app.store.append(lifeOf(number))
  await app.features.status(feature)
  await app.close()
}

function lifeOf(number: number): NewEvent[] {
  const run = runOf(number)
  const header = eventHeader(feature, run)
  const about = {
    kind: 'implement',
    agent: 'coder',
    rehearsal: true,
    node: `${feature}-${number}`,
    path: [`${feature}-${number}`],
  }
  const asks = Array.from({ length: 6 }, (_, index) => {
    const ask = { ...about, ask: `${run}/${index}`, attempt: 1 }
    const usage = { inputTokens: 4000, outputTokens: 900, usd: 0.02 }
    return [
      { ...header, type: 'ask.started', version: 1, data: { ...ask, reserved: { tokens: 8000, usd: 0.05 } } },
      { ...header, type: 'ask.finished', version: 1, data: { ...ask, usage, tries: 1, milliseconds: 2000 } },
      {
        ...header,
        type: 'evidence.recorded',
        version: 1,
        data: { command: 'node --test', exit_code: 0, purpose: 'claim', node: about.node },
      },
    ]
  }).flat()
  const file = fileOf(number)
  const module = { path: file, symbols: ['value'], purpose: `Part ${number} of the orders`, change: 'created' as const }
  return [
    lockTaken.create(header, { issue: number, holder: run }),
    issueStarted.create(header, { issue: number, session: run }),
    contextInjected.create(header, {
      issue: number,
      context_ref: `sha256:${'0'.repeat(64)}`,
      tokens: 3000,
      omitted: [],
    }),
    testsWritten.create(header, { issue: number, count: 4 }),
    ...asks,
    implementationCompleted.create(header, { issue: number }),
    issueMoved.create(header, { issue: number, from: 'DONE', to: 'DONE', cause: 'verified', evidence: [] }),
    issueDone.create(header, { issue: number, commit: String(number).padStart(40, '0'), files: [file], tests: 4 }),
    summaryWritten.create(header, {
      issue: number,
      summary: `It brings part ${number}.`,
      by: 'rule',
      key_files: [file],
      modules: [module],
    }),
    lockReleased.create(header, { issue: number, holder: run, stale: false }),
  ]
}
