import { expect, it } from 'vitest'
import type { Node } from '../../src/build/node.ts'
import { joinTests } from '../../src/build/nodes/join-tests.ts'
import { Repository } from '../../src/workspace/git/repository.ts'
import { commitFiles, git, gitProject } from '../support/git-project.ts'

it('[GR2] a step that crashed after it moved the branch names the same files for the author once more', async () => {
  const folder = gitProject({ 'a.test.txt': 'old\n' })
  const from = git(folder, 'rev-parse', 'HEAD').trim()
  commitFiles(folder, { 'a.test.txt': 'of the node\n' }, 'Tests')
  const commit = git(folder, 'rev-parse', 'HEAD').trim()
  git(folder, 'checkout', '--quiet', '-b', 'node', from)
  commitFiles(folder, { 'a.test.txt': 'of a part\n' }, 'Part')
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
  expect(await joinTests(node, { commit, from })).toEqual(['a.test.txt'])
  const joined = git(folder, 'rev-parse', 'node')
  expect(await joinTests(node, { commit, from })).toEqual(['a.test.txt'])
  expect(git(folder, 'rev-parse', 'node')).toBe(joined)
  expect(git(folder, 'show', 'node:a.test.txt')).toBe('of a part\n')
})
