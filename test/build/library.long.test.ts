/** A real TypeScript library, built from one spec: its own files, its own tests, and an untouched checkout. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../support/convene.ts'
import { csv } from './csv-library.ts'
import { asked, buildProject, expectExit, ofType } from './project.ts'
import { rehearse } from './rehearsed-part.ts'
import { checkoutHash, watchCheckout } from './watch-checkout.ts'

it('[GR2] builds a TypeScript library of three parts in two levels, and its result passes by hand', async () => {
  const project = buildProject({
    spec: csv.spec,
    lines: rehearse(csv),
    files: { 'notes.md': 'first\n', 'README.md': '# csv\n' },
  })
  // The user is at work here: staged, unstaged and untracked changes.
  project.write({ 'notes.md': 'staged\n' })
  project.git('add', 'notes.md')
  project.write({ 'notes.md': 'staged, and then some\n', 'src/draft.ts': 'const unfinished =\n' })
  const before = { hash: checkoutHash(project.folder), status: project.git('status', '--porcelain') }

  const {
    value: built,
    states,
    looks,
  } = await watchCheckout(project.folder, () => project.build('--strategy', 'graph'))

  expectExit(built, 0)
  expect(looks).toBeGreaterThan(2)
  expect(states).toBe(1)
  expect(checkoutHash(project.folder)).toBe(before.hash)
  expect(project.git('status', '--porcelain')).toBe(before.status)

  const { commit, branch, tree } = built.report
  const result = join(project.folder, '../result')
  execFileSync('git', ['clone', '--quiet', '--branch', branch, project.folder, result])
  const there = (...args: string[]) => execFileSync('git', args, { cwd: result, encoding: 'utf8' }).trim()
  expect([there('rev-parse', 'HEAD'), there('rev-parse', 'HEAD^{tree}')]).toEqual([commit, tree])
  expect(there('ls-files', 'src', 'notes.md').split('\n')).toEqual([
    'notes.md',
    'src/csv.ts',
    'src/fields.ts',
    'src/rows.ts',
    'src/types.ts',
    'src/unquote.ts',
  ])
  expect(there('show', 'HEAD:notes.md')).toBe('first')
  const tests = execFileSync(process.execPath, ['--test'], { cwd: result, encoding: 'utf8' })
  expect(tests).toMatch(/pass 8\n(.*\n)*.*fail 0/)
  const code = 'import(\'./src/csv.ts\').then(({ parseCsv }) => console.log(JSON.stringify(parseCsv(\'q\\n""""\'))))'
  expect(execFileSync(process.execPath, ['-e', code], { cwd: result, encoding: 'utf8' })).toBe('[{"q":"\\""}]\n')
  typeCheck(result)

  const events = await project.events()
  const merges = ofType(events, 'merge.completed')
  const exported = (node: string) =>
    (merges.find((merge) => merge.node === node)!.changes as { symbol: string; changeType: string }[]).map(
      ({ symbol, changeType }) => `${changeType} ${symbol}`,
    )
  expect(exported('unquote')).toEqual(['NewExport unquote'])
  expect(exported('rows')).toEqual(['NewExport toRows'])
  expect(exported('csv').sort()).toEqual(
    ['parseCsv', 'splitFields', 'toRows', 'Dialect', 'Row', 'unquote'].map((name) => `NewExport ${name}`).sort(),
  )
  expect(merges.map(({ impactLevel }) => impactLevel)).toEqual(['Additive', 'Additive', 'Additive', 'Additive'])
  expect(asked(events).filter((line) => /rebase|merge /.test(line))).toEqual([])
  expect(ofType(events, 'reply.refused')).toEqual([])
  const nodes = there('log', '--format=%(trailers:key=Convene-Node,valueonly,separator=)')
  expect(new Set(nodes.split('\n').filter(Boolean))).toEqual(
    new Set(['csv', 'csv/fields', 'csv/fields/unquote', 'csv/rows']),
  )
  expect(there('fsck', '--no-dangling')).toBe('')
}, 400_000)

/** As its users would: every name has a type, and everything type-checks. */
function typeCheck(folder: string): void {
  const options = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--allowImportingTsExtensions']
  const about = ['--module', 'nodenext', '--target', 'esnext', '--types', 'node']
  const types = ['--typeRoots', join(root, 'node_modules/@types')]
  const files = ['src/csv.ts', 'test/csv.test.ts', 'test/rows.test.ts']
  execFileSync(join(root, 'node_modules/.bin/tsc'), [...options, ...about, ...types, ...files], { cwd: folder })
}
