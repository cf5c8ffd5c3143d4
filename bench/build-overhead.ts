/** One node's git work as a build does it, alternating with the git commands that a person would script for it. */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Commands } from '../src/workspace/commands/command.ts'
import { Repository } from '../src/workspace/git/repository.ts'
import { createTestRunner } from '../src/workspace/test-results/test-runner.ts'
import { Worktrees } from '../src/workspace/worktrees/worktrees.ts'
import { layRepository } from './build-project.ts'
import { interleave, millisecondsOf } from './measure.ts'

export interface Overhead {
  files: number
  /** Milliseconds per node, one figure per round. */
  ours: number[]
  plain: number[]
  thrifty: number[]
}

/** Worktrees are created for the first node of a run and removed with its last, so a round is a short run. */
export const nodesOfRun = 4
const test = 'sh run-tests.sh'

interface Contender {
  name: 'ours' | 'plain' | 'thrifty'
  node(round: number, number: number): Promise<void>
  end(round: number): Promise<void>
}

export async function measureOverhead(folder: string, files: number, rounds: number): Promise<Overhead> {
  const project = join(folder, 'project')
  mkdirSync(project, { recursive: true })
  layRepository(project, files, { 'run-tests.sh': "echo 'TAP version 13'\necho 'ok 1 - it works'\necho 1..1\n" })
  const ours = await convene(project, join(folder, 'worktrees'))
  const plain = plainScript(project, join(folder, 'plain'))
  const thrifty = thriftyScript(project, join(folder, 'thrifty'))
  const found: Overhead = { files, ours: [], plain: [], thrifty: [] }
  await interleave([ours, plain, thrifty], rounds + 1, async (contender, round) => {
    const milliseconds = await millisecondsOf(async () => {
      for (let number = 0; number < nodesOfRun; number++) await contender.node(round, number)
      await contender.end(round)
    })
    // The first round fills the disk caches for all.
    if (round > 0) found[contender.name].push(milliseconds / nodesOfRun)
  })
  return found
}

/** The same calls, in the same order, that `src/build` makes for a leaf whose parent has moved meanwhile. */
async function convene(project: string, folder: string): Promise<Contender> {
  const repository = await Repository.open(project)
  const worktrees = new Worktrees(repository, { share: [], folder })
  const commands = new Commands({ sandbox: 'off', env: process.env, allowEnv: [] })
  const tests = createTestRunner(commands, { test, timeoutMs: 60_000 })
  const parent = 'refs/heads/convene/bench/main'
  await repository.setRef(parent, await repository.head())

  const verify = async (run: string, commit: string) => {
    const slot = await worktrees.acquire(run, commit)
    const ran = await tests.run({ folder: slot.project })
    await ran.output.remove()
    worktrees.release(slot)
    if (ran.exitCode !== 0 || ran.counts.passed !== 1) throw new Error(`the tests failed: ${ran.tail}`)
  }
  return {
    name: 'ours',
    async node(round, number) {
      const run = `run-${round}`
      const base = await repository.head()
      const slot = await worktrees.acquire(run, base)
      writeWork(slot.project, round, number)
      const { tree } = await slot.snapshot()
      worktrees.release(slot)
      const commit = await repository.commit({ tree, parents: [base], message: 'work\n' })
      await repository.setRef(`refs/heads/convene/bench/+${number}`, commit)
      await verify(run, commit)
      const head = (await repository.resolve(parent))!
      const { tree: joined } = await repository.merge(head, commit)
      const merged = await repository.commit({ tree: joined, parents: [head], message: 'merge\n' })
      await verify(run, merged)
      if (!(await repository.updateRef(parent, merged, head))) throw new Error('the branch was moved')
      await repository.deleteRef(`refs/heads/convene/bench/+${number}`)
    },
    end: (round) => worktrees.removeRun(`run-${round}`),
  }
}

/** The naive way: a new worktree for every piece of work and for every check, removed afterwards. */
function plainScript(project: string, folder: string): Contender {
  const joined = join(folder, 'joined')
  const branch = (number: number) => `plain/${number}`
  return {
    name: 'plain',
    async node(round, number) {
      const work = join(folder, 'work')
      const check = join(folder, 'check')
      if (number === 0) await openJoined(project, joined, 'plain/main', round)
      await git(project, 'worktree', 'add', '--quiet', '-b', branch(number), work, 'main')
      writeWork(work, round, number)
      await git(work, 'add', '--all')
      await git(work, 'commit', '--quiet', '--message=work')
      await git(project, 'worktree', 'add', '--quiet', '--detach', check, branch(number))
      await runTests(check)
      await mergeInto(joined, branch(number))
      await git(project, 'worktree', 'remove', '--force', check)
      await git(project, 'worktree', 'remove', '--force', work)
      await git(project, 'branch', '--quiet', '-D', branch(number))
    },
    end: () => closeWorktree(project, joined),
  }
}

/** As economical as a build: one worktree for all of it, moved to a commit and cleaned each time. */
function thriftyScript(project: string, folder: string): Contender {
  const joined = join(folder, 'joined')
  const slot = join(folder, 'slot')
  const branch = (number: number) => `thrifty/${number}`
  const bringTo = async (commit: string) => {
    await git(slot, 'checkout', '--quiet', '--force', '--detach', commit)
    await git(slot, 'clean', '-ffdxq')
  }
  return {
    name: 'thrifty',
    async node(round, number) {
      if (number === 0) {
        await openJoined(project, joined, 'thrifty/main', round)
        await git(project, 'worktree', 'add', '--quiet', '--detach', slot, 'main')
      } else await bringTo('main')
      writeWork(slot, round, number)
      await git(slot, 'add', '--all')
      await git(slot, 'commit', '--quiet', '--message=work')
      await git(slot, 'branch', '--quiet', '--force', branch(number))
      await bringTo(branch(number))
      await runTests(slot)
      await mergeInto(joined, branch(number))
      await git(project, 'branch', '--quiet', '-D', branch(number))
    },
    async end() {
      await closeWorktree(project, slot)
      await closeWorktree(project, joined)
    },
  }
}

const git = (where: string, ...args: string[]) => promisify(execFile)('git', args, { cwd: where })
const runTests = (where: string) => promisify(execFile)('/bin/sh', ['-c', test], { cwd: where })
const closeWorktree = async (project: string, folder: string) => {
  await git(project, 'worktree', 'remove', '--force', folder)
}

async function openJoined(project: string, joined: string, name: string, round: number): Promise<void> {
  await git(project, 'worktree', 'add', '--quiet', '-B', name, joined, round === 0 ? 'main' : name)
}

/** The result is tested where it was merged. */
async function mergeInto(joined: string, branch: string): Promise<void> {
  await git(joined, 'merge', '--quiet', '--squash', branch)
  await git(joined, 'commit', '--quiet', '--message=merge')
  await runTests(joined)
}

/** What an agent leaves: code, tests and a contract. */
function writeWork(folder: string, round: number, number: number): void {
  for (const kind of ['src', 'test', 'contract']) {
    mkdirSync(join(folder, kind), { recursive: true })
    writeFileSync(join(folder, kind, `node-${round}-${number}.js`), `export const ${kind} = [${round}, ${number}]\n`)
  }
}
