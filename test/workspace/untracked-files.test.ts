/** Files that are not in the commit: found without git, with the same result. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { untrackedFiles } from '../../src/workspace/worktrees/untracked-files.ts'
import { commitFiles, git, newRepository, write } from './git-repositories.ts'

const name = fc.constantFrom('a', 'b', 'ä', 'x y', '.hidden', 'a.log', 'node_modules')
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'))

it.runIf(process.platform === 'linux')('finds what git would clean, wherever it is', async () => {
  const { folder, repository } = await newRepository({ '.gitignore': '*.log\nnode_modules\n' })
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(path, { maxLength: 6 }),
      fc.uniqueArray(path, { maxLength: 8 }),
      async (tracked, more) => {
        git(folder, 'rm', '-r', '--quiet', '--force', '--ignore-unmatch', '.')
        git(folder, 'clean', '-ffdxq')
        for (const each of tracked) put(folder, each)
        git(folder, 'add', '-A', '--force')
        git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'x')
        const commit = git(folder, 'rev-parse', 'HEAD')
        for (const each of more) put(folder, each)
        const listed = git(folder, '-c', 'core.quotePath=false', 'clean', '-ffdxn').split('\n').filter(Boolean)
        const expected = listed.map((line) => line.replace(/^Would remove /, '').replace(/\/$/, ''))
        const found = await untrackedFiles(repository.trees, folder, commit, [])
        expect(found?.sort()).toEqual(expected.sort())
      },
    ),
    { numRuns: 30 },
  )
})

it.runIf(process.platform === 'linux')('leaves kept paths alone, and searches beside them', async () => {
  const { folder, repository, first } = await newRepository({ 'src/a.txt': 'a\n' })
  write(folder, { 'src/made/x': '', 'src/made/deep/y': '', 'src/other': '', 'lib/kept/z': '', 'lib/gone': '', top: '' })
  mkdirSync(join(folder, 'empty'))
  symlinkSync('/', join(folder, 'src/link'))
  git(folder, 'init', '--quiet', 'nested')
  const found = await untrackedFiles(repository.trees, folder, first, ['src/made', 'lib/kept'])
  expect(found?.sort()).toEqual(['empty', 'lib/gone', 'nested', 'src/link', 'src/other', 'top'])
})

it('says that it cannot tell if a folder of the commit is not a folder', async () => {
  const { folder, repository } = await newRepository({ 'src/a.txt': 'a\n' })
  const commit = commitFiles(folder, {})
  write(folder, { src: null })
  symlinkSync('/', join(folder, 'src'))
  expect(await untrackedFiles(repository.trees, folder, commit, [])).toBeNull()
})

/** If something else is in the way, nothing is written. */
function put(folder: string, path: string): void {
  try {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), path)
  } catch {
    // A file where a folder would be, or the other way round.
  }
}
