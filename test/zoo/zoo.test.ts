/** A sample of the zoo that needs no registry. */
import { describe, expect, it } from 'vitest'
import { checkSpecies, Enclosure, statesOf } from './keep.ts'
import { nodeTest, npmWorkspace, others } from './species.ts'

describe('a sample of the zoo', () => {
  it('[VF9] node:test: names, counts, red and green are read from its report', () => checkSpecies(nodeTest))

  it('[VF9] the packages of a workspace are told apart, and so are the parts of their scripts', async () => {
    const run = await new Enclosure(npmWorkspace).run()
    expect(statesOf(run).sort()).toEqual([...npmWorkspace.expected].sort())
    expect(run.tests.filter(({ name }) => name === 'adds').map(({ file }) => file)).toEqual([
      'packages/a/test/add.test.js',
      'packages/b/test/same.test.js',
    ])
    expect(run.parts.map(({ folder, runner, exitCode }) => ({ folder, runner, exitCode }))).toEqual([
      { folder: 'packages/a', runner: undefined, exitCode: 0 },
      { folder: 'packages/a', runner: 'node', exitCode: 0 },
      { folder: 'packages/b', runner: 'node', exitCode: 0 },
    ])
  })

  it('[VF9] a file of a package is tested in its folder, with its own script', async () => {
    const project = new Enclosure(npmWorkspace)
    const one = await project.run(undefined, ['packages/b/test/same.test.js'])
    expect(one.command).toBe('cd packages/b && npm test -- test/same.test.js')
    expect(one).toMatchObject({ exitCode: 0, names: 'reported', narrowed: true })
    expect(one.tests.map(({ name, file }) => `${file}: ${name}`)).toEqual(['packages/b/test/same.test.js: adds'])
    project.write({
      'packages/b/test/same.test.js': "require('node:test').test('adds', () => { throw new Error('no') })\n",
    })
    const both = await project.run(undefined, ['packages/b/test/same.test.js', 'packages/a/test/add.test.js'])
    expect(both.exitCode).not.toBe(0)
    expect(statesOf(both)).toEqual(expect.arrayContaining(['adds: error', 'math / deep / adds: passed']))
  })

  it('[VF9] a linter that fails in front of the tests is the part that failed', async () => {
    const linter = `node -e "console.log('src/math.js:1 no-var'); process.exit(3)"`
    const project = new Enclosure(nodeTest)
    for (const scripts of [
      { test: `${linter} && node --test` },
      { pretest: linter, test: 'node --test' },
      { lint: linter, test: 'npm run lint && node --test' },
    ]) {
      project.write({ 'package.json': JSON.stringify({ type: 'module', scripts }) })
      const run = await project.run()
      expect(run).toMatchObject({ names: 'unknown', tests: [], failedPart: { command: linter, exitCode: 3 } })
      expect(run.tail).toContain('src/math.js:1 no-var')
    }
  })

  it('[VF9] the tests behind a known linter run although it fails, and its exit code stays', async () => {
    const project = new Enclosure(nodeTest)
    project.write({
      'bin/eslint': "echo 'src/math.js:1 no-var'\nexit 3\n",
      'package.json': JSON.stringify({ type: 'module', scripts: { test: 'sh bin/eslint && node --test' } }),
    })
    const run = await project.run()
    expect(run).toMatchObject({ exitCode: 3, names: 'reported', failedPart: { command: 'sh bin/eslint', exitCode: 3 } })
    expect(run.counts).toMatchObject({ failed: 0, passed: 4 })
    project.write({ 'bin/eslint': 'exit 0\n', 'test/red.test.js': 'throw new Error("no")\n' })
    const red = await project.run()
    expect(red).toMatchObject({ names: 'reported', exitCode: 1 })
    expect(red.failedPart).toBeUndefined()
  })

  it('[VF9] a linter that fails after the tests leaves their names', async () => {
    const project = new Enclosure(nodeTest)
    const run = await project.run('node --test && sh -c "exit 4"')
    expect(run).toMatchObject({
      exitCode: 4,
      names: 'reported',
      failedPart: { command: 'sh -c "exit 4"', exitCode: 4 },
    })
    expect(run.counts.failed).toBe(0)
  })

  it('[VF9] runners that a test starts, and marks that it prints, are none of the project’s tests', async () => {
    const project = new Enclosure({ ...others[0]!, files: {} })
    project.write({
      'inner/x.test.js': "require('node:test').test('inner', () => {})\n",
      'outer.test.js': `const { spawnSync } = require('node:child_process')
require('node:test').test('outer', () => {
  console.log('✓ printed\\nTAP version 13\\nok 1 - printed')
  const { NODE_TEST_CONTEXT, ...env } = process.env
  spawnSync(process.execPath, ['--test', 'inner/x.test.js'], { env, stdio: 'inherit' })
})
`,
    })
    expect(statesOf(await project.run('node --test outer.test.js'))).toEqual(['outer: passed'])
  })
})
