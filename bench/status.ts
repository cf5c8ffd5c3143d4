/** How long `status` of a large feature takes in a repository with a long history, and `why` of a line. */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Bench } from './bench.ts'
import { median, millisecondsOf, whole } from './measure.ts'
import { commits, done, feature, fileOf, issues, layProject } from './status-project.ts'

const rounds = 5
const command = resolve(import.meta.dirname, '../bin/convene')

export const status: Bench = async (given) => {
  const folder = join(given, 'project')
  await layProject(folder)
  const cold = await statusCommand(folder, { forget: true })
  const warm = await repeated(() => statusCommand(folder))
  const added = await repeated(() => statusCommand(folder, { commit: true }))
  const whyCommand = await repeated((round) => convene(folder, 'why', lineAt(round)))
  const served = await serve(folder)
  const asked = await repeated(() => served.get(`/api/features/${feature}/status`))
  const why = await repeated((round) => served.get(`/api/why?what=${encodeURIComponent(lineAt(round))}`))
  const named = Array.from({ length: rounds + 1 }, (_, round) => commitOf(folder, round))
  const whyCommit = await repeated((round) => served.get(`/api/why?what=${named[round]}`))
  await served.stop()
  return {
    goals: [
      { measure: 'status, as a command, warm', goal: '≤ 1 s', found: ms(warm), met: median(warm) <= 1000 },
      { measure: 'why of a line, asked of a server', goal: '≤ 300 ms', found: ms(why), met: median(why) <= 300 },
    ],
    settings: [
      `${whole(commits)} commits in a row on one branch; a feature of ${whole(issues)} issues, ${whole(done)} of them done by commits all over that history; about ${whole(done * 30)} events in its log. Medians of ${rounds}.`,
      'A command is a process of its own, from its start to its end, with no server running; cold: without what was kept of the history; one commit more: a commit was added before each.',
    ],
    table: {
      columns: ['', 'median'],
      rows: [
        ['status, command, cold', ms([cold])],
        ['status, command, warm', ms(warm)],
        ['status, command, one commit more', ms(added)],
        ['status, asked of a server', ms(asked)],
        ['why of a line, command', ms(whyCommand)],
        ['why of a line, asked of a server', ms(why)],
        ['why of a commit, asked of a server', ms(whyCommit)],
      ],
    },
    notes: ['Most of a command is the start of Node and reading the log; most of `why` of a line is `git blame`.'],
  }
}

const ms = (values: number[]) => `${whole(median(values))} ms`

async function repeated(work: (round: number) => Promise<unknown>): Promise<number[]> {
  const found: number[] = []
  await work(0)
  for (let round = 1; round <= rounds; round++) found.push(await millisecondsOf(() => work(round)))
  return found
}

async function statusCommand(folder: string, { forget = false, commit = false } = {}): Promise<number> {
  if (forget) execFileSync('rm', ['-rf', join(folder, '.convene/cache')])
  if (commit)
    execFileSync(
      'git',
      ['-c', 'user.name=Ada', '-c', 'user.email=a@b.c', 'commit', '--quiet', '--allow-empty', '--message=chore: more'],
      { cwd: folder },
    )
  return millisecondsOf(async () => {
    const { issues: listed } = (await convene(folder, 'status', feature)) as { issues: { state: string }[] }
    const isDone = listed.filter(({ state }) => state === 'DONE').length
    if (isDone !== done) throw new Error(`${isDone} issues are done, not ${done}`)
  })
}

async function convene(folder: string, ...args: string[]): Promise<unknown> {
  const options = { cwd: folder, maxBuffer: 100_000_000 }
  const { stdout } = await promisify(execFile)(command, [...args, '--json'], options)
  return JSON.parse(stdout)
}

const lineAt = (round: number) => `${fileOf(100 + round * 100)}:1`

function commitOf(folder: string, round: number): string {
  return execFileSync('git', ['log', '-1', '--format=%H', '--', fileOf(150 + round * 100)], { cwd: folder })
    .toString()
    .trim()
}

async function serve(folder: string) {
  const server = spawn(command, ['serve', '--port', '0'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await new Promise<string>((found) => {
    let said = ''
    server.stdout.on('data', (chunk) => {
      said += chunk
      const address = /http:\/\/[\d.:]+/.exec(said)?.[0]
      if (address) found(address)
    })
  })
  const token = readFileSync(join(folder, '.convene/token'), 'utf8').trim()
  return {
    async get(path: string) {
      const answer = await fetch(url + path, {
        headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      })
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      return answer.json()
    },
    async stop() {
      const ended = new Promise((resolve) => server.on('close', resolve))
      server.kill('SIGTERM')
      await ended
    },
  }
}
