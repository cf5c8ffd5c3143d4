/** After a person's answer the agent continues: its files and conversation stay, and it is told the answer and what was tried. VF8. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  buildProject,
  code,
  expectExit,
  type Line,
  leaf,
  ofType,
  type Project,
  specOf,
  testCommand,
  testFile,
  told,
} from './project.ts'

const spec = specOf('inc')
const tests = testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2)' })

async function answered(project: Project, answer: string, ...args: string[]) {
  const asked = await project.build(...args)
  expectExit(asked, 3)
  expectExit(await project.convene('answer', asked.report.questions![0]!.id, answer), 0)
  expectExit(await project.convene('resume', asked.report.run), 0)
  return asked.report.questions!
}

it('[VF8] [GR4] an agent alone that used up its attempts continues its files and conversation after retry', async () => {
  const wrong: Line = {
    when: { ask: 'implement', node: 'inc' },
    files: {
      'src/step.js': 'export const step = 2\n',
      'src/inc.js': code('inc', 'value + 2'),
      'test/inc.test.js': tests,
    },
    reply: { TestsPassed: {} },
    repeat: true,
  }
  const right: Line = {
    ...wrong,
    when: { ...wrong.when, contains: 'A person was asked: "inc cannot continue: all 2 attempts are used' },
    files: { 'src/inc.js': code('inc') },
  }
  const project = buildProject({ spec, lines: [right, wrong], build: { caps: { attempts: 2 } } })
  await answered(project, 'retry', '--strategy', 'solo')
  const all = await told(project, 'implement')
  expect(all).toHaveLength(3)
  const { last, before } = all[2]!
  expect(last).toContain('The answer: "retry"')
  expect(last).toMatch(/Attempt 1: TestsPassed\n {2}→ .*\nAttempt 2: TestsPassed\n {2}→ /)
  // The refusal of the last attempt in full, which nobody had told it.
  expect(last).toMatch(/\[VF4\] the tests do not pass in a clean checkout \(inc: inc-1\):[\s\S]*Failing tests:/)
  expect(before).toContain(all[1]!.last)
  const commit = project.git('rev-parse', 'convene/inc/main')
  expect(project.read(commit, 'src/step.js')).toContain('step = 2')
  // It decides nothing about the work.
  const [reviewed] = await told(project, 'review-impl')
  expect(reviewed!.last).not.toContain('A person')
})

it('[GR9] a test command that was changed meanwhile is told to the same agent, and to those who are asked first then', async () => {
  const wrong: Line = {
    when: { ask: 'implement', node: 'inc' },
    files: { 'src/inc.js': code('inc', 'value + 2'), 'test/inc.test.js': tests },
    reply: { TestsPassed: {} },
  }
  const right: Line = { ...wrong, files: { 'src/inc.js': code('inc') } }
  const project = buildProject({ spec, lines: [wrong, right], build: { caps: { attempts: 1 } } })
  const asked = await project.build('--strategy', 'solo')
  expectExit(asked, 3)
  const config = JSON.parse(readFileSync(join(project.folder, 'convene.yaml'), 'utf8'))
  const test = `${testCommand} --test-timeout=600000`
  project.write({ 'convene.yaml': JSON.stringify({ ...config, build: { ...config.build, test } }) })
  expectExit(await project.convene('answer', asked.report.questions![0]!.id, 'retry'), 0)
  expectExit(await project.convene('resume', asked.report.run), 0)
  const [first, again] = await told(project, 'implement')
  expect(first!.before).toContain(`- tests: \`${testCommand}\``)
  expect(again!.last).toMatch(/^The commands of this project are now these/)
  expect(again!.last).toContain(`- tests: \`${test}\``)
  const [reviewed] = await told(project, 'review-impl')
  expect(reviewed!.last).not.toContain('The commands of this project')
  for (const { before } of [again!, reviewed!]) {
    expect(before).toContain(`- tests: \`${test}\``)
    expect(before).not.toContain(`- tests: \`${testCommand}\``)
  }
})

it('[VF8] free text reaches an implementer that was stuck, with what it had tried', async () => {
  const [scaffold, written, implemented, review] = leaf(spec)
  const answer = `One is 1. ${'It is not 2. '.repeat(50)}So one and one are two.`
  const stuck = { Stuck: { diagnosis: 'no idea what one is', recommendation: 'say it', attempts: 1 } }
  const right = { ...implemented!, when: { ...implemented!.when, contains: `The answer: "${answer}"` } }
  const project = buildProject({
    spec,
    lines: [scaffold!, written!, { ...implemented!, files: {}, reply: stuck }, right, review!],
  })
  await answered(project, answer, '--strategy', 'graph')
  const [, second] = await told(project, 'implement')
  expect(second!.last).toContain('Attempt 1: Stuck: no idea what one is\n  → it gave up: say it')
  expect(second!.before).toContain('no idea what one is')
  expect(second!.last).toContain('This is attempt 1 of 5 since a person answered, after 1 earlier.')
  const [reviewed] = await told(project, 'review-impl')
  expect(reviewed!.last).toContain(`The answer: "${answer}"`)
})

it('[VF8] attempts count on over two answers, and the reviewer sees each answer once', async () => {
  const [scaffold, written, implemented, review] = leaf(spec)
  const stuck = (diagnosis: string) => ({
    ...implemented!,
    files: {},
    reply: { Stuck: { diagnosis, recommendation: 'say it', attempts: 1 } },
  })
  const more = { MoreTests: { critiques: [], additionalTests: [] } }
  const project = buildProject({
    spec,
    lines: [
      scaffold!,
      written!,
      stuck('no idea'),
      stuck('still no idea'),
      implemented!,
      { ...review!, reply: more },
      written!,
      implemented!,
      review!,
    ],
  })
  const first = await project.build('--strategy', 'graph')
  expectExit(await project.convene('answer', first.report.questions![0]!.id, 'One is 1.'), 0)
  const second = await project.convene('resume', first.report.run)
  expectExit(second, 3)
  expectExit(await project.convene('answer', second.report.questions![0]!.id, 'Really.'), 0)
  const done = await project.convene('resume', first.report.run)
  expectExit(done, 0)
  const [, , third] = await told(project, 'implement')
  expect(third!.last).toMatch(/Attempt 1: Stuck: no idea\n.*\nAttempt 2: Stuck: still no idea\n/)
  expect(third!.last).toContain('This is attempt 1 of 5 since a person answered, after 2 earlier.')
  const [one, two] = await told(project, 'review-impl')
  expect(one!.last).toMatch(/One is 1\.[\s\S]*Really\./)
  expect(two!.last).not.toContain('Really.')
  // A mere answer is no interruption, and what was spent is the whole.
  expect(done.stderr).not.toContain('continuing after an interruption')
  expect(done.stderr).toMatch(/^spent since the run began: .*/m)
  const { cost } = done.report as unknown as { cost: { asks: number } }
  expect(cost.asks).toBe(ofType(await project.events(), 'ask.started').length)
})

it('[VF3] [VF8] a person lets an agent alone edit what was put back; its attempts are told again, and files stay', async () => {
  const ask = { ask: 'implement', node: 'inc' }
  const question = { specSentence: 'One', contradictionTrace: 'One or 1?', question: 'Which one?' }
  const script = 'run-tests.sh'
  const commented = { [script]: `# All of them.\n${testCommand} "$@"\n` }
  const lines: Line[] = [
    {
      when: { ...ask, attempt: 1 },
      files: { 'src/inc.js': code('inc', 'value + 2'), 'test/inc.test.js': tests, ...commented },
      reply: { TestsPassed: {} },
    },
    {
      when: { ...ask, attempt: 2 },
      files: { 'src/step.js': 'export const step = 1\n', ...commented },
      reply: { SpecAmbiguity: question },
    },
    { when: ask, files: { 'src/inc.js': code('inc'), ...commented }, reply: { TestsPassed: {} } },
  ]
  const files = { [script]: `${testCommand} "$@"\n` }
  const project = buildProject({ spec, lines, files, build: { test: `sh ${script}` } })
  const allow = `allow ${script}`
  const [asked] = await answered(project, allow, '--strategy', 'solo')
  expect(asked!.choices).toEqual(['retry', 'give up', allow])
  expect(asked!.context.detail).toContain(
    `Put back, because agents may not edit them: ${script}. Only the answer "${allow}"`,
  )
  const all = await told(project, 'implement')
  expect(all[2]!.last).toContain('since a person answered, after 2 earlier.')
  expect(all[2]!.last).toMatch(/Attempt 1: TestsPassed\n.*\nAttempt 2: SpecAmbiguity\n {2}→ it asked: Which one\?/)
  const says = `A person allowed this work to edit, beside what it may edit anyway: ${script}.`
  expect(all[2]!.last).toContain(says)
  expect((await told(project, 'review-impl'))[0]!.last).toContain(says)
  const commit = project.git('rev-parse', 'convene/inc/main')
  expect(project.read(commit, 'test/inc.test.js')).toContain('inc-1')
  expect(project.read(commit, 'src/step.js')).toContain('step = 1')
  expect(project.read(commit, script)).toContain('All of them.')
})

it('[VF3] a person lets an implementer edit a test, over a resume, but never a contract suite', async () => {
  const [scaffold, written, implemented, review] = leaf(spec)
  const own = 'test/inc.test.js'
  const contract = 'contract/inc.test.js'
  const edited = { [own]: `// Rewritten.\n${tests}` }
  const cheating = { ...implemented!, files: { ...implemented!.files, ...edited, [contract]: '// Nothing.\n' } }
  const stuck = { Stuck: { diagnosis: 'I may not edit the test', recommendation: 'let me', attempts: 1 } }
  const project = buildProject({
    spec,
    lines: [
      scaffold!,
      written!,
      cheating,
      { ...implemented!, files: {}, reply: stuck },
      cheating,
      { ...implemented!, files: edited },
      review!,
    ],
  })
  const [asked] = await answered(project, '3', '--strategy', 'graph')
  expect(asked!.choices).toEqual(['retry', 'give up', `allow ${own}`])
  const refused = ofType(await project.events(), 'reply.refused').map(({ problems }) =>
    (problems as { path?: string }[]).map(({ path }) => path),
  )
  expect(refused).toEqual([[contract, own], [contract]])
  const commit = project.git('rev-parse', 'convene/inc/main')
  expect(project.read(commit, own)).toContain('Rewritten')
  expect(project.read(commit, contract)).toContain('inc contract')
  const [reviewed] = await told(project, 'review-impl')
  expect(reviewed!.last).toContain(`beside what it may edit anyway: ${own}.`)
})
