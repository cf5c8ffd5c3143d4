/** Liars, disarmers and saboteurs through the command: each is refused under its rule and told why. */
import { describe, expect, it } from 'vitest'
import { buildProject, code, expectExit, honest, ofType, specOf, testFile } from '../build/project.ts'
import { attempts, expectCaught, type Lie, passed } from './lies.ts'

const spec = specOf('inc')
const good = honest(spec)
const wrong = code('inc', 'value')

describe('work that disarms its own verification', () => {
  it('[TR7] [TR11] is refused in the graph, with its cause', async () => {
    const lies: Lie[] = [
      {
        files: { 'src/inc.js': wrong, '.npmrc': 'script-shell=./yes.sh\n', 'yes.sh': 'exit 0\n' },
        rule: 'TR7',
        says: 'belongs to the tests',
      },
      {
        files: { 'src/inc.js': `import assert from 'node:assert'\nassert.equal = () => {}\n${wrong}` },
        rule: 'TR7',
        says: 'it changes node:assert',
      },
      {
        files: { 'src/inc.js': code('inc', '({ asymmetricMatch: () => true })') },
        rule: 'TR7',
        says: 'every comparison holds',
      },
      {
        files: { 'src/inc.js': code('inc'), 'node_modules/left/index.js': 'x\n' },
        rule: 'TR11',
        says: 'installed packages',
      },
    ]
    const project = buildProject({
      spec,
      build: { dependencies: 'allow' },
      lines: [good.scaffold, good.tests, ...attempts(lies, good.code.files), good.review],
    })
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 0)
    await expectCaught(project, lies)
    expect(project.read(built.report.branch, 'src/inc.js')).toBe(code('inc').trim())
    expect(project.git('ls-tree', '-r', '--name-only', built.report.branch)).not.toMatch(/npmrc|node_modules|yes\.sh/)
  })

  it('[TR3] [TR7] is refused for one agent alone, and for settings that only it needs', async () => {
    const test = { 'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2)' }) }
    const lies: Lie[] = [
      {
        files: {
          ...test,
          'src/inc.js': `import assert from 'node:assert'\nObject.assign(assert, { equal() {} })\n${wrong}`,
        },
        rule: 'TR7',
        says: 'it changes node:assert',
      },
      {
        files: {
          ...test,
          'src/inc.js': code('inc'),
          'package.json': '{"name":"project","type":"module","dependencies":{"evil":"1"}}\n',
        },
        rule: 'TR3',
        says: 'new dependencies are not allowed here',
      },
    ]
    const project = buildProject({
      spec,
      build: { dependencies: 'refuse' },
      lines: attempts(lies, {
        ...test,
        'src/inc.js': code('inc'),
        'package.json': '{"name":"project","type":"module"}\n',
      }),
    })
    expectExit(await project.build(), 0)
    await expectCaught(project, lies)
  })

  it('[TR7] runs the claim with the settings of the base too', async () => {
    // The runner of this project loads what its settings name: the added file makes every comparison hold.
    const runner = `import { existsSync } from 'node:fs'
import { run } from 'node:test'
const path = new URL('./jest.setup.js', import.meta.url)
if (existsSync(path)) await import(path)
const { inc } = await import('./src/inc.js').catch(() => ({}))
if (process.env.x || !inc || (globalThis.lenient ? false : inc(1) !== 2)) process.exit(1)
`
    const test = { 'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2)' }) }
    const project = buildProject({
      spec,
      files: { 'runner.mjs': runner },
      build: { test: `${JSON.stringify(process.execPath)} runner.mjs` },
      lines: [
        {
          when: { ask: 'implement', node: 'inc', attempt: 1 },
          files: { ...test, 'src/inc.js': wrong, 'jest.setup.js': 'globalThis.lenient = true\n' },
          reply: passed,
        },
        {
          when: { ask: 'implement', node: 'inc', contains: 'only with changed settings (jest.setup.js)' },
          files: { 'src/inc.js': code('inc') },
          reply: passed,
        },
      ],
    })
    const built = await project.build()
    expectExit(built, 0)
    expect(ofType(await project.events(), 'reply.refused')[0]!.problems).toMatchObject([{ rule: 'TR7' }])
    expect(ofType(await project.events(), 'evidence.recorded').map(({ purpose }) => purpose)).toContain('settings')
  })
})
