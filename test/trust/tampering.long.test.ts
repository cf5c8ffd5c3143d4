/**
 * Code that tampers with its tests, packages and reports while they run, through the command: nothing of it makes wrong work
 * pass, and nothing of it stops Convene.
 */
import { describe, expect, it } from 'vitest'
import { buildProject, code, expectExit, specOf, testFile } from '../build/project.ts'
import { attempts, expectCaught, type Lie } from './lies.ts'

const spec = specOf('inc')
const wrong = code('inc', 'value')
const test = { 'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2)' }) }

/** Rewrites the test before it is loaded, and puts it back when the process ends. */
const puttingBack = `import { readFileSync, writeFileSync } from 'node:fs'
const own = readFileSync('test/inc.test.js', 'utf8')
writeFileSync('test/inc.test.js', own.replace('assert.equal', 'void '))
process.on('exit', () => writeFileSync('test/inc.test.js', own))
`

describe('code that tampers with what judges it', () => {
  it('[TR7] is refused for a test that it rewrites and puts back', async () => {
    const base = { 'src/base.js': 'export const base = 1\n' }
    const lies: Lie[] = [
      {
        files: { ...test, 'src/inc.js': wrong, 'src/base.js': `${puttingBack}${base['src/base.js']}` },
        rule: 'VF4',
        says: 'did not run as they are committed: test/inc.test.js',
      },
    ]
    const project = buildProject({
      spec,
      files: {
        ...base,
        'alpha/base.test.js':
          "import assert from 'node:assert'\nimport { test } from 'node:test'\nimport { base } from '../src/base.js'\ntest('base is one', () => { assert.equal(base, 1) })\n",
      },
      lines: attempts(lies, { ...test, 'src/inc.js': code('inc') }, base),
    })
    const built = await project.build()
    await expectCaught(project, lies)
    expectExit(built, 0)
    expect(project.read(built.report.branch, 'src/inc.js')).toBe(code('inc').trim())
  })

  it('[TR7] judges with the packages that the set-up made, whatever a test did to them', async () => {
    const checking = (condition: string) => `export const same = (a, b) => { if (${condition}) throw new Error() }`
    const packed = `mkdir -p node_modules/check && printf %s '${checking('a !== b')}' > node_modules/check/index.js && printf %s '{"name":"check","type":"module","main":"index.js"}' > node_modules/check/package.json`
    // As long as before, with the time of its last change, and with a second name: a look at size and time shows nothing.
    const poisoning = `import { execFileSync } from 'node:child_process'
execFileSync('sh', ['-c', \`cd node_modules/check && [ ! -e z ] && t=$(stat -c %z index.js) && printf %s '${checking('a === 9')}' > index.js && touch -d "$t" index.js && ln index.js z || true\`])
`
    const checked = {
      'test/inc.test.js': `import { test } from 'node:test'\nimport { same } from 'check'\nimport { inc } from '../src/inc.js'\ntest('inc: inc-1', () => { same(inc(1), 2) })\n`,
    }
    const poisoned = { 'test/inc.test.js': poisoning + checked['test/inc.test.js'] }
    const lies: Lie[] = [
      { files: { ...poisoned, 'src/inc.js': wrong }, rule: 'VF4', says: 'inc: inc-1' },
      { files: { ...checked, 'src/inc.js': wrong }, rule: 'VF4', says: 'inc: inc-1' },
    ]
    const project = buildProject({
      spec,
      build: { setup: packed },
      files: { '.gitignore': 'node_modules\n' },
      lines: attempts(lies, { ...checked, 'src/inc.js': code('inc') }),
    })
    const built = await project.build()
    await expectCaught(project, lies)
    expectExit(built, 0)
  })

  it('[TR7] is refused for a package that takes the name of the test library', async () => {
    const manifest = (more: object = {}) => `${JSON.stringify({ name: 'project', type: 'module', ...more })}\n`
    const lenient = `export const expect = (value) => ({ to: { equal() { if (value === undefined) throw new Error() } } })\n`
    const expecting = {
      'test/inc.test.js': `import { test } from 'node:test'\nimport { expect } from 'chai'\nimport { inc } from '../src/inc.js'\ntest('inc: inc-1', () => { expect(inc(1)).to.equal(2) })\n`,
    }
    const lies: Lie[] = [
      {
        files: {
          ...expecting,
          'src/inc.js': wrong,
          'src/lib.js': lenient,
          'package.json': manifest({ name: 'chai', exports: './src/lib.js' }),
        },
        rule: 'TR7',
        says: 'only with changed settings (package.json)',
      },
    ]
    const base = { 'package.json': manifest() }
    const project = buildProject({ spec, lines: attempts(lies, { ...test, 'src/inc.js': code('inc') }, base) })
    const built = await project.build()
    await expectCaught(project, lies)
    expectExit(built, 0)
  })

  it('[TR5] neither hangs nor crashes Convene by what it leaves in place of the report', async () => {
    const place = "const place = process.env['CONVENE_' + 'REPORTS']\n"
    const piped = `import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
${place}process.on('exit', () => {
  for (const name of readdirSync(place).filter((one) => one.startsWith('report-'))) {
    rmSync(place + '/' + name)
    execFileSync('mkfifo', [place + '/' + name])
  }
})
`
    const endless = `import { appendFileSync } from 'node:fs'
${place}const line = { runner: 'mocha', format: 'lines', file: '/dev/zero', folder: '/', part: '', at: 1 }
process.on('exit', () => appendFileSync(place + '/runners.jsonl', JSON.stringify(line) + '\\n'))
`
    const lies: Lie[] = [{ files: { ...test, 'src/inc.js': piped + wrong }, rule: 'VF4' }]
    const project = buildProject({ spec, lines: attempts(lies, { ...test, 'src/inc.js': endless + code('inc') }) })
    const built = await project.build()
    await expectCaught(project, lies)
    expectExit(built, 0)
  })
})
