/** Nothing is called done that nobody built: signs that look like work and are none. DU1, SY1. */
import { expect, it } from 'vitest'
import { asked, expectExit, type Line } from '../build/project.ts'
import { built, lineOf, reportOf, shipProject } from './project.ts'

const imports = "import assert from 'node:assert'\nimport { test } from 'node:test'\n"
const plus = (number: number) => `export const f${number} = (value) => value + 1\n`
const same = (number: number) => `export const f${number} = (value) => value\n`

/** What the agent writes: its own test beside those that are there. */
function line(number: number, old: string): Line {
  const loaded = old.includes(`{ f${number} }`) ? '' : `import { f${number} } from '../src/f${number}.js'\n`
  const own = `test('f${number} adds one', () => assert.equal(f${number}(1), 2))\n`
  return {
    ...built(number),
    files: { [`src/f${number}.js`]: plus(number), [`test/f${number}.test.js`]: `${loaded}${old}${own}` },
  }
}

const skipped = `${imports}test.skip('f1 later', () => {})\ntest.todo('f1 much later')\n`
const ofOld = `${imports}import { f2 } from '../src/f2.js'\ntest('f2 can be called', () => assert.ok(f2))\n`
const commented = `${imports}// see c3-0\ntest('loads', () => assert.ok(true))\ntest.skip('c3-0 waits', () => {})\n`
const helped = `${imports}import { help } from './help.js'\ntest('helps', () => assert.equal(help, 1))\n`
const byOther = `${imports}test('other', () => assert.ok(true))\n`

it('[DU1] [SY1] every one of these issues is built', { timeout: 600_000 }, async () => {
  const numbers = [1, 2, 3, 4, 5, 6]
  const olds = [skipped, ofOld, commented, helped, byOther, imports]
  const project = shipProject(
    numbers.map((number) => ({ number })),
    numbers.map((number, index) => line(number, olds[index]!)),
    {
      files: {
        'src/f2.js': same(2),
        'test/f3.test.js': commented,
        'src/f4.js': same(4),
        'test/f4.test.js': helped,
        'test/help.js': 'export const help = 2\n',
      },
    },
  )
  expectExit(await project.convene('greenlight', 'demo', '--issues', 'issues.json'), 0)
  const commit = (message: string, files: Record<string, string> = {}) => {
    project.write(files)
    project.git('add', '--all')
    project.git('commit', '--quiet', '--allow-empty', '--message', message)
  }
  commit('tests that wait', { 'test/f1.test.js': skipped })
  commit('test what is there', { 'test/f2.test.js': ofOld })
  commit('repair a helper', { 'test/help.js': 'export const help = 1\n' })
  commit('Add a check\n\nConvene-Run: run-1\nConvene-Issue: other#5', { 'test/f5.test.js': byOther })
  for (const subject of [
    'feat(demo): implement issue #6',
    'Implement issue #6',
    'feat(demo): Implement issue #66',
    'feat(other): Implement issue #6',
    'docs: how feat(demo): Implement issue #6 was planned',
  ])
    commit(subject)
  commit('feat(demo): Implement issue #6', { 'notes.md': 'half of it' })
  project.git('revert', '--no-edit', 'HEAD')
  const ran = await project.convene('run', 'demo', '--yes')
  expectExit(ran, 0)
  expect(
    asked(await project.events())
      .filter((one) => one.startsWith('implement'))
      .sort(),
  ).toEqual(numbers.map((number) => `implement demo-${number}`))
  for (const number of numbers) expect(lineOf(reportOf(ran), number).evidence[0]).toMatchObject({ kind: 'commit' })
})
