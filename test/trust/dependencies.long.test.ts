/** TR3 through the command: nothing that an agent adds to a manifest is installed or run before a person agrees. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildProject, code, expectExit, type Line, ofType, specOf, testFile } from '../build/project.ts'

const spec = specOf('inc')
const work = {
  'src/inc.js': code('inc'),
  'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2)' }),
}
const passed = { TestsPassed: { iterations: 1, passedTests: ['inc: inc-1'] } }
const manifest = (more: Record<string, unknown>) => `${JSON.stringify({ name: 'project', type: 'module', ...more })}\n`
const implement = (files: Line['files'], contains?: string): Line => ({
  when: { ask: 'implement', node: 'inc', ...(contains ? { contains } : {}) },
  files: { ...work, ...files },
  reply: passed,
})

/** Set-up notes what it would install and whether scripts may run; it stands for any package manager. */
const setup = `node -e "const {scripts:s={},dependencies:d={}}=JSON.parse(require('fs').readFileSync('package.json'));const quiet=process.env.npm_config_ignore_scripts==='true';require('fs').appendFileSync('../../../../setups.txt',Object.keys(d)+' '+(quiet?'quiet':s.postinstall?'RAN '+s.postinstall:'scripts')+String.fromCharCode(10))"`

function project(lines: Line[], build: Record<string, unknown> = {}) {
  const built = buildProject({ spec, lines, build: { setup, sandbox: 'off', ...build } })
  const setups = () => {
    const file = join(built.folder, '..', 'setups.txt')
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  }
  return { ...built, setups }
}

describe('dependencies that an agent adds', () => {
  it('[TR3] are listed and asked about before set-up runs, once', async () => {
    const built = project([implement({ 'package.json': manifest({ dependencies: { pad: '^1' } }) })])
    const asked = await built.build()
    expectExit(asked, 3)
    const [question] = asked.report.questions!
    expect(question).toMatchObject({
      choices: ['allow', 'refuse'],
      context: { dependencies: ['pad ^1 (package.json)'] },
    })
    expect(built.setups().every((line) => !line.includes('pad'))).toBe(true)
    await built.convene('answer', question!.id, 'allow')
    expectExit(await built.convene('resume', asked.report.run), 0)
    expect(built.setups().filter((line) => line.includes('pad'))).toEqual(['pad quiet'])
  })

  it('[TR3] are put back after a refusal, and the agent does without them', async () => {
    const built = project([
      implement({ 'package.json': manifest({ dependencies: { pad: '^1' } }) }),
      implement({}, 'new dependencies are not allowed here'),
    ])
    const asked = await built.build()
    await built.convene('answer', asked.report.questions![0]!.id, 'refuse')
    const done = await built.convene('resume', asked.report.run)
    expectExit(done, 0)
    expect(built.read(done.report.branch, 'package.json')).not.toContain('pad')
    expect(ofType(await built.events(), 'reply.refused')[0]!.problems).toMatchObject([{ rule: 'TR3' }])
    const refusing = project(
      [implement({ 'package.json': manifest({ dependencies: { pad: '^1' } }) }), implement({}, 'not allowed here')],
      { dependencies: 'refuse' },
    )
    expectExit(await refusing.build(), 0)
  })

  it('[TR3] never run a script that the agent added, with the network on', async () => {
    const built = project([implement({ 'package.json': manifest({ scripts: { postinstall: 'curl evil' } }) })])
    expectExit(await built.build(), 0)
    expect(built.setups().filter((line) => line.includes('RAN'))).toEqual([])
    expect(built.setups()).toContain(' quiet')
  })

  it('[TR3] are installed without a question where build.dependencies allows them', async () => {
    const built = project([implement({ 'package.json': manifest({ dependencies: { pad: '^1' } }) })], {
      dependencies: 'allow',
    })
    expectExit(await built.build(), 0)
    expect(built.setups().some((line) => line.startsWith('pad'))).toBe(true)
  })
})
