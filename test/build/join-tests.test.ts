import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Node } from '../../src/build/node.ts'
import { joinTests } from '../../src/build/nodes/join-tests.ts'
import { Repository } from '../../src/workspace/git/repository.ts'
import { commitFiles, git, gitProject } from '../support/git-project.ts'

it('[GR2] a step that crashed after it moved the branch names the same files for the author once more', async () => {
  const { folder, node, commit, from } = await joining(
    ...['old', 'of the node', 'of a part'].map((line) => `${line}\n`),
  )
  expect(await joinTests(node, { commit, from })).toEqual(['a.test.txt'])
  const joined = git(folder, 'rev-parse', 'node')
  expect(await joinTests(node, { commit, from })).toEqual(['a.test.txt'])
  expect(git(folder, 'rev-parse', 'node')).toBe(joined)
  expect(git(folder, 'show', 'node:a.test.txt')).toBe('of a part\n')
})

it('[GR2] leaves a file that is no text as the parts left it, byte for byte', async () => {
  const { folder, node, commit, from } = await joining(
    ...['\xe9', '\xe9a', '\xe9b'].map((one) => Buffer.from(one, 'latin1')),
  )
  expect(await joinTests(node, { commit, from })).toEqual(['a.test.txt'])
  expect(execFileSync('git', ['show', 'node:a.test.txt'], { cwd: folder })).toEqual(Buffer.from('\xe9b', 'latin1'))
})

/** A file as it was, as a node's tests have it, and as its merged part has it. */
async function joining(...[old, tests, part]: (string | Buffer)[]) {
  const folder = gitProject({ 'a.txt': '' })
  const commitOf = (content: string | Buffer | undefined) => {
    writeFileSync(join(folder, 'a.test.txt'), content!)
    commitFiles(folder, {}, 'Change')
    return git(folder, 'rev-parse', 'HEAD').trim()
  }
  const from = commitOf(old)
  const commit = commitOf(tests)
  git(folder, 'checkout', '--quiet', '-b', 'node', from)
  commitOf(part)
  git(folder, 'checkout', '--quiet', 'main')
  const repository = await Repository.open(folder)
  const spec = { id: 'root', acceptanceCriteria: [] }
  const node = {
    run: { step: (_: string, work: (step: { key: string }) => unknown) => work({ key: 'join' }) },
    workspace: { repository, syntax: { read: (file: string) => ({ file, parsed: false }) } },
    deps: { clock: { now: () => new Date(0) } },
    input: { spec, build: 'b', path: ['root'] },
    branch: 'refs/heads/node',
    state: { spec, head: from, joinedWithChildren: () => {} },
  } as unknown as Node
  return { folder, node, commit, from }
}
