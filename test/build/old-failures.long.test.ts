/** Tests that fail or flicker without the work are never held against it. VF4, MG2. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/convene.ts'
import {
  buildProject,
  code,
  expectExit,
  honest,
  type Line,
  ofType,
  type Project,
  specOf,
  stub,
  testCommand,
} from './project.ts'

const spec = specOf('inc', ['AC1'], { testPath: 'test/base.test.js' })

const imports = `import assert from 'node:assert'
import { test } from 'node:test'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { base } from '../src/base.js'
`
const always = "test('was never right', () => { assert.equal(base, 2) })\n"
const green = "test('base is one', () => { assert.equal(base, 1) })\n"
const own = "test('inc: AC1', async () => { const { inc } = await import('../src/inc.js'); assert.equal(inc(1), 2) })\n"

/** Fails in the runs whose numbers are given; runs count over the whole build. */
function flickering(failsIn: readonly number[]): string {
  const runs = JSON.stringify(join(temporaryFolder(), 'runs'))
  return `test('flickers', () => {
  appendFileSync(${runs}, 'x')
  assert.ok(!${JSON.stringify(failsIn)}.includes(readFileSync(${runs}).length))
})
`
}

const files = (old: string) => ({
  'src/base.js': 'export const base = 1\n',
  'test/base.test.js': imports + green + old,
})

function graphLines(old: string): Line[] {
  const { scaffold, tests, code: implemented, review } = honest(spec)
  return [
    {
      ...scaffold,
      reply: { InitWork: { ...scaffold.reply.InitWork, contractSuite: null } },
      files: { 'src/inc.js': stub('inc') },
    },
    { ...tests, files: { 'test/base.test.js': imports + green + old + own } },
    implemented,
    review,
  ]
}

function soloLines(old: string, more: Record<string, string> = {}): Line[] {
  const written = { 'src/inc.js': code('inc'), 'test/base.test.js': imports + green + old + own }
  return [{ when: { ask: 'implement' }, files: { ...written, ...more }, reply: { TestsPassed: {} } }]
}

async function refusals(project: Project): Promise<unknown[]> {
  return ofType(await project.events(), 'reply.refused').map(({ problems }) => problems)
}

/** The base is tested once before the first claim is checked. */
describe.each([
  ['graph', graphLines, 1],
  ['solo', soloLines, 1],
] as const)('correct work by %s', (strategy, lines, earlier) => {
  it('[VF4] [MG2] is accepted beside an old test in the same file that fails without it too', async () => {
    const project = buildProject({ spec, files: files(always), lines: lines(always) })
    const built = await project.build('--strategy', strategy, '--merge')
    expect(await refusals(project)).toEqual([])
    expectExit(built, 0)
    expect(built.report).toMatchObject({ status: 'done', merged: true })
  })

  it.each([
    ['in both runs of the claim', [2, 4, 5]],
    ['rarely without the work', [2, 4, 7]],
  ])('[VF4] [MG2] is accepted beside a test that flickers: %s', async (_, failsIn) => {
    const old = flickering(failsIn.map((run) => run + earlier))
    const project = buildProject({ spec, files: files(old), lines: lines(old), build: { sandbox: 'off' } })
    const built = await project.build('--strategy', strategy, '--merge')
    expect(await refusals(project)).toEqual([])
    expectExit(built, 0)
    const events = await project.events()
    expect(ofType(events, 'warning.given')).toContainEqual({
      text: expect.stringMatching(/^unreliable test: "flickers" \(test\/base\.test\.js\)/),
    })
    const evidence = ofType(events, 'evidence.recorded') as { tests?: { unreliable?: string[] } }[]
    expect(evidence.some(({ tests }) => tests?.unreliable?.includes('flickers'))).toBe(true)
  })
})

it('[VF4] a test command that takes no files runs three times more on the base too, and later builds know the test', async () => {
  // Runs: the base, the tests without the code, the claim twice, the base three times.
  const old = flickering([3, 4, 7])
  const build = { sandbox: 'off', test: `${testCommand} && true` } as const
  const project = buildProject({ spec, files: files(old), lines: soloLines(old), build })
  expectExit(await project.build('--strategy', 'solo'), 0)
  expect(await refusals(project)).toEqual([])
  const evidence = ofType(await project.events(), 'evidence.recorded') as { purpose: string; reused?: boolean }[]
  const ran = evidence.filter(({ reused }) => !reused).map(({ purpose }) => purpose)
  expect(ran.slice(0, 7)).toEqual(['before', 'red', 'claim', 'claim', 'before', 'before', 'before'])
  const known = readFileSync(join(project.folder, '.convene/cache/unreliable-tests.json'), 'utf8')
  expect(known).toContain('flickers')
})

it('[VF4] [VF8] a refusal for another reason names no test that flickers', async () => {
  // Runs: the base, the tests without the code, the claim twice.
  const old = flickering([3])
  const [right] = soloLines(old) as [Line]
  const wrong = {
    ...right,
    files: { ...right.files, 'test/base.test.js': `${right.files!['test/base.test.js']}test('empty', () => {})\n` },
  }
  const lines = [wrong, { ...right, when: { ...right.when, attempt: 2 } }]
  const project = buildProject({
    spec,
    files: files(old),
    lines,
    build: { sandbox: 'off', test: `${testCommand} && true` },
  })
  expectExit(await project.build('--strategy', 'solo'), 0)
  const [problems, ...more] = (await refusals(project)) as { message: string }[][]
  expect(more).toEqual([])
  expect(problems!.map(({ message }) => message).join()).toMatch(/^the test "empty" is empty(?![\s\S]*flickers)/)
})

describe('a result that was kept', () => {
  it('[VF2] [VF9] refuses nothing: the tests run again without the code', async () => {
    const kept = { id: 'AC2', text: 'base stays', kind: 'keep' as const }
    const both = { ...spec, acceptanceCriteria: [...spec.acceptanceCriteria, kept] }
    const flicker = flickering([1]).replace('flickers', 'AC2 flickers')
    const [first] = soloLines('') as [Line]
    const written = { 'src/inc.js': code('inc'), 'test/base.test.js': imports + green + own + flicker }
    const lines: Line[] = [
      { ...first, files: written },
      { ...first, when: { ...first.when, attempt: 2, contains: 'AC2 is to be kept' }, files: written },
    ]
    const project = buildProject({ spec: both, files: files(''), lines, build: { sandbox: 'off' } })
    expectExit(await project.build('--strategy', 'solo'), 0)
    expect(await refusals(project)).toHaveLength(1)
  })
})

describe('wrong work', () => {
  it('[VF4] is refused if it fails beside its tests, although the only test that fails is an old one', async () => {
    const [right] = soloLines(always) as [Line]
    const unused = `${code('inc')}export function unused(value) {\n  return value\n}\n`
    const lines: Line[] = [
      { ...right, files: { ...right.files, 'src/inc.js': unused } },
      { ...right, when: { ...right.when, attempt: 2, contains: 'This failed beside the tests' } },
    ]
    const covered = `${testCommand} --experimental-test-coverage --test-coverage-lines=100`
    const project = buildProject({ spec, files: files(always), lines, build: { test: covered } })
    expectExit(await project.build('--strategy', 'solo'), 0)
    expect(await refusals(project)).toHaveLength(1)
  })

  it('[VF4] is refused beside an old failing test: each test that it breaks is named, and the old one is not', async () => {
    const wrong = soloLines(always, { 'src/base.js': 'export const base = 3\n' })[0]!
    const right = { when: { ask: 'implement', attempt: 2 }, files: files(always), reply: { TestsPassed: {} } }
    delete (right.files as Record<string, string>)['test/base.test.js']
    const project = buildProject({ spec, files: files(always), lines: [wrong, right] })
    expectExit(await project.build('--strategy', 'solo'), 0)
    const [problems] = (await refusals(project)) as { message: string }[][]
    expect(problems!.map(({ message }) => message)).toEqual([
      'the test "base is one" passed before this work and fails now',
    ])
  })
})
