/** Every edge of the graph's table, and every cap, through the command. Rows are named `<place> <exit>`. */
import { describe, expect, it } from 'vitest'
import {
  asked,
  buildProject,
  code,
  expectExit,
  honest,
  type Line,
  leaf,
  ofType,
  specOf,
  stub,
  testFile,
  told,
} from './project.ts'

const spec = specOf('inc')
const good = honest(spec)
const retry = (failingTests: string[] = []): Line => ({
  when: { ask: 'implement', node: 'inc' },
  reply: { RequestRetry: { diagnosis: 'off by one', strategyFrom: 'guess', strategyTo: 'think', failingTests } },
})
const stuck = { Stuck: { diagnosis: 'no idea', recommendation: 'ask someone', attempts: 1 } }

async function build(lines: Line[], more: Partial<Parameters<typeof buildProject>[0]> = {}) {
  const project = buildProject({ spec, lines, ...more })
  const built = await project.build('--strategy', 'graph')
  const events = await project.events()
  return { project, built, events, order: asked(events), routes: routesOf(events) }
}

function routesOf(events: Awaited<ReturnType<ReturnType<typeof buildProject>['events']>>) {
  return ofType(events, 'exit.routed').map(({ node, from, exit, to, action, capped }) => ({
    node,
    from,
    exit,
    to,
    action,
    capped,
  }))
}

describe('rows of the table', () => {
  it('[GR1] scaffold InitWork starts tests and code; each later exit leads where the table says', async () => {
    const { built, routes } = await build(leaf(spec))
    expectExit(built, 0)
    expect(routes.map(({ from, exit, to }) => [from, exit, to])).toEqual([
      ['scaffold', 'InitWork', ['tdd:write-tests', 'impl']],
      ['tdd:write-tests', 'TestsReady', ['impl']],
      ['impl', 'TestsPassed', ['tdd:review']],
      ['tdd:review', 'Approved', ['merger']],
      ['merger', 'MergeComplete', ['parent', 'rebaser']],
    ])
  })

  it('[GR1] scaffold ClarificationNeeded goes to a person, whose answer goes to the scaffold', async () => {
    const question = {
      question: 'By how much?',
      ambiguityReference: 'the description',
      specSentence: 'The function inc',
    }
    const lines: Line[] = [
      { when: { ask: 'scaffold', node: 'inc' }, reply: { ClarificationNeeded: question } },
      { ...good.scaffold, when: { ...good.scaffold.when, contains: 'By one, always.' } },
      good.tests,
      good.code,
      good.review,
    ]
    const { project, built } = await build(lines)
    expectExit(built, 3)
    expect(built.report).toMatchObject({ status: 'waiting', questions: [{ choices: ['retry', 'give up'] }] })
    const [asked] = built.report.questions!
    expect(asked!.text).toContain('By how much?')
    const listed = (await project.convene('runs')).report as unknown as { runs: { id: string; status: string }[] }
    expect(listed.runs.find(({ id }) => id === built.report.run)).toMatchObject({ status: 'waiting' })
    expectExit(await project.convene('answer', asked!.id, 'By one, always.'), 0)
    const resumed = await project.convene('resume', built.report.run)
    expectExit(resumed, 0)
    expect(resumed.report.status).toBe('done')
    expectExit(await project.convene('resume', built.report.run), 0)
  })

  it('[GR1] tdd InvalidScaffold goes back to the scaffold with what is missing', async () => {
    const lines: Line[] = [
      good.scaffold,
      {
        when: { ask: 'write-tests', node: 'inc' },
        reply: { InvalidScaffold: { missingType: 'Step', expectedLocation: 'src/inc.js' } },
      },
      { ...good.scaffold, when: { ...good.scaffold.when, contains: '`Step`, expected in src/inc.js' } },
      good.tests,
      good.code,
      good.review,
    ]
    const { built, order } = await build(lines)
    expectExit(built, 0)
    expect(order.map((line) => line.split(' ')[0])).toEqual([
      'scaffold',
      'write-tests',
      'scaffold',
      'write-tests',
      'implement',
      'review-impl',
    ])
  })

  it('[GR3] a review about tests alone needs no implementer where the code passes the new tests too', async () => {
    const more = {
      MoreTests: {
        critiques: [
          { file: 'test/inc.test.js', line: 4, issue: 'looks at one number', requiredFix: 'check three too' },
        ],
        additionalTests: [{ criterionId: 'inc-1', plannedTestName: 'inc: three', approach: 'call it' }],
      },
    }
    const tests = { 'inc: inc-1': 'assert.equal(inc(1), 2)', 'inc: three': 'assert.equal(inc(3), 4)' }
    const refused = 'Earlier attempts at this code that checks refused'
    const { built, order, project } = await build([
      good.scaffold,
      good.tests,
      { ...good.code, files: { 'src/inc.js': code('inc', 'value') } },
      { ...good.code, when: { ...good.code.when, attempt: 2 } },
      { ...good.review, when: { ...good.review.when, contains: refused }, reply: more },
      {
        ...good.tests,
        when: { ...good.tests.when, contains: 'looks at one number → check three too' },
        files: { 'test/inc.test.js': testFile('inc', tests) },
      },
      good.review,
    ])
    expectExit(built, 0)
    expect(order.map((line) => line.split(' ')[0]).slice(4)).toEqual(['review-impl', 'write-tests', 'review-impl'])
    const asked = ofType(await project.events(), 'task.put').filter(({ kind }) => kind === 'write-tests')
    expect(asked).toHaveLength(2)
  })

  it('[GR3] tdd MoreTests goes to the tests, then to the implementer with the critiques', async () => {
    const more = {
      MoreTests: {
        critiques: [
          { file: 'src/inc.js', line: 2, issue: 'negative numbers are not looked at', requiredFix: 'test them' },
        ],
        additionalTests: [{ criterionId: 'inc-1', plannedTestName: 'inc: negative', approach: 'call it' }],
      },
    }
    const tests = { 'inc: inc-1': 'assert.equal(inc(1), 2)', 'inc: negative': 'assert.equal(inc(-3), -2)' }
    const { built, order, project } = await build([
      good.scaffold,
      good.tests,
      { ...good.code, files: { 'src/inc.js': code('inc', 'Math.abs(value) + 1') } },
      { ...good.review, reply: more },
      {
        ...good.tests,
        when: { ...good.tests.when, contains: 'inc: negative' },
        files: { 'test/inc.test.js': testFile('inc', tests) },
      },
      { ...good.code, when: { ...good.code.when, contains: 'negative numbers are not looked at' } },
      good.review,
    ])
    expectExit(built, 0)
    expect(order.map((line) => line.split(' ')[0]).slice(3)).toEqual([
      'review-impl',
      'write-tests',
      'implement',
      'review-impl',
    ])
    expect(project.read(built.report.commit!, 'test/inc.test.js')).toContain('inc: negative')
  })

  it('[GR3] [MG1] a false critique stands beside the test that passed at once, and what is said against it reaches the next review', async () => {
    const critique = { file: 'src/inc.js', line: 2, issue: 'inc(5) gives 7', requiredFix: 'add one' }
    const five = { criterionId: 'inc-1', plannedTestName: 'inc: five', approach: 'call it' }
    const tests = { 'inc: inc-1': 'assert.equal(inc(1), 2)', 'inc: five': 'assert.equal(inc(5), 6)' }
    const { built, project } = await build([
      good.scaffold,
      good.tests,
      { ...good.code, reply: { TestsPassed: { summary: 'Add one to any number.' } } },
      { ...good.review, reply: { MoreTests: { critiques: [critique], additionalTests: [five] } } },
      {
        ...good.tests,
        files: { 'test/inc.test.js': testFile('inc', tests) },
        reply: { TestsReady: { testFiles: ['test/inc.test.js'], objection: 'It gives 6.' } },
      },
      { ...good.code, files: {}, reply: { TestsPassed: { summary: 'The claim about 5 is untrue.' } } },
      good.review,
    ])
    expectExit(built, 0)
    const [, implementer] = await told(project, 'implement')
    expect(implementer!.last).toMatch(
      /inc\(5\) gives 7 → add one\nThese tests .* pass on the code as it is: `inc: five`\n/,
    )
    const [, reviewer] = await told(project, 'review-impl')
    expect(reviewer!.last).toMatch(/passed at once, on the code that you saw: `inc: five`\n/)
    expect(reviewer!.last).toContain('\nThe test author objects: It gives 6.\n')
    expect(reviewer!.last).toContain('\nThe implementer changed nothing and says: The claim about 5 is untrue.\n')
    expect(project.git('log', '-1', '--format=%b', built.report.commit!)).toMatch(/^Add one to any number\.\n\n- inc-1/)
  })

  it('[VF3] an implementer may change what the interface declares where a review asks for it, and only there', async () => {
    const critique = { file: 'src/inc.js', line: 2, issue: 'the step cannot be chosen', requiredFix: 'take it, too' }
    const widened = { 'src/inc.js': `export const step = 1\n${code('inc', 'value + step')}` }
    const { built, events } = await build([
      good.scaffold,
      good.tests,
      { ...good.code, files: widened },
      { ...good.code, when: { ...good.code.when, contains: 'src/inc.js now exports step too' } },
      { ...good.review, reply: { MoreTests: { critiques: [critique], additionalTests: [] } } },
      { ...good.tests, files: {} },
      { ...good.code, when: { ...good.code.when, contains: 'except where the review wants them' }, files: widened },
      good.review,
    ])
    expectExit(built, 0)
    expect(ofType(events, 'reply.refused')).toMatchObject([{ kind: 'implement' }])
  })

  it('[VF2] a test author replaces its own tests when a review asks for better ones, but leaves no criterion without', async () => {
    const more = {
      MoreTests: {
        critiques: [{ file: 'src/inc.js', line: 2, issue: 'three is left out', requiredFix: 'add one' }],
        additionalTests: [{ criterionId: 'inc-1', plannedTestName: 'inc: by one', approach: 'call it' }],
      },
    }
    const file = (tests: Record<string, string>) => ({ 'test/inc.test.js': testFile('inc', tests) })
    const better = { ...good.tests, files: file({ 'inc: by one': 'assert.equal(inc(3), 4)' }) }
    const { built, project } = await build([
      good.scaffold,
      { ...good.tests, files: file({ 'inc: inc-1': 'assert.equal(typeof inc(1), "number")' }) },
      { ...good.code, files: { 'src/inc.js': code('inc', 'value === 3 ? 0 : value + 1') } },
      { ...good.review, reply: more },
      { ...better, when: { ...better.when, contains: 'three is left out' } },
      { ...good.code, when: { ...good.code.when, contains: 'add one' } },
      good.review,
    ])
    expectExit(built, 0)
    expect(ofType(await project.events(), 'reply.refused')).toEqual([])
    const gone = await build(
      [
        good.scaffold,
        good.tests,
        { ...good.code, files: { 'src/inc.js': code('inc', 'value + 1') } },
        { ...good.review, reply: { MoreTests: { ...more.MoreTests, additionalTests: [] } } },
        { ...good.tests, files: file({ other: 'assert.equal(inc(0), 1)' }) },
        { ...good.tests, when: { ...good.tests.when, contains: 'inc: inc-1 is gone' } },
        { ...good.code, when: { ...good.code.when, contains: 'add one' } },
        good.review,
      ].map((line) => ({ ...line })),
    )
    expectExit(gone.built, 0)
    expect(ofType(gone.events, 'reply.refused')).toMatchObject([{ kind: 'write-tests' }])
  })

  it('[GR1] tdd Reject goes to a person; giving up fails the build with the reason', async () => {
    const reject = { Reject: { reason: 'the approach cannot work', missingCriteria: ['inc-1'] } }
    const { project, built } = await build([good.scaffold, good.tests, good.code, { ...good.review, reply: reject }])
    expectExit(built, 3)
    const [question] = built.report.questions!
    expect(question!.text).toContain('the approach cannot work')
    expectExit(await project.convene('answer', question!.id, 'give up'), 0)
    const resumed = await project.convene('resume', built.report.run)
    expectExit(resumed, 1)
    expect(resumed.report).toMatchObject({ status: 'failed', reason: expect.stringContaining('Reject') })
  })

  it('[GR4] impl RequestRetry loops, keeps its files, and the fifth becomes Stuck', async () => {
    const { built, routes } = await build([
      good.scaffold,
      good.tests,
      ...[1, 2, 3, 4].map((attempt) => ({ ...retry(), when: { ...retry().when, attempt } })),
      { ...retry(), when: { ...retry().when, attempt: 5, contains: 'It is the last one' } },
    ])
    expectExit(built, 3)
    expect(routes.at(-1)).toMatchObject({ from: 'impl', exit: 'Stuck', to: [], action: 'escalate', capped: 'attempts' })
    expect(built.report.questions![0]!.text).toContain('cap: attempts')
  })

  it('[GR1] impl RequestRetry then TestsPassed continues from the kept files', async () => {
    const first = { ...retry(), files: { 'src/helper.js': 'export const step = 1\n' } }
    const second = {
      ...good.code,
      files: { 'src/inc.js': `import { step } from './helper.js'\n${code('inc', 'value + step')}` },
    }
    const { built, project } = await build([good.scaffold, good.tests, first, second, good.review])
    expectExit(built, 0)
    expect(project.read(built.report.commit!, 'src/helper.js')).toContain('step = 1')
  })

  it('[GR1] impl Stuck, then retry, continues from the files that it left', async () => {
    const project = buildProject({
      spec,
      lines: [
        good.scaffold,
        good.tests,
        { ...good.code, files: { 'src/helper.js': 'export const step = 1\n' }, reply: stuck },
        { ...good.code, files: { 'src/inc.js': `import { step } from './helper.js'\n${code('inc', 'value + step')}` } },
        good.review,
      ],
    })
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 3)
    expectExit(await project.convene('answer', built.report.questions![0]!.id, 'retry'), 0)
    const resumed = await project.convene('resume', built.report.run)
    expectExit(resumed, 0)
    expect(project.read((resumed.report as { commit: string }).commit, 'src/helper.js')).toContain('step = 1')
  })

  it('[GR1] impl BlockedDependency goes to the scaffold', async () => {
    const blocked = { BlockedDependency: { missingSymbol: 'step', expectedImportPath: 'src/step.js' } }
    const { built, order } = await build([
      good.scaffold,
      good.tests,
      { ...good.code, files: {}, reply: blocked },
      { ...good.scaffold, when: { ...good.scaffold.when, contains: '`step`, expected in src/step.js' } },
      good.tests,
      good.code,
      good.review,
    ])
    expectExit(built, 0)
    expect(order[3]).toBe('scaffold inc')
  })

  it('[VF8] an implementer is not told of a file that stands as it wrote it', async () => {
    const ambiguity = {
      SpecAmbiguity: { specSentence: 'inc-1 holds', contradictionTrace: 'two readings.', question: 'Which?' },
    }
    const critique = { file: 'src/inc.js', line: 1, issue: 'it is not said what it does', requiredFix: 'say it' }
    const written = { 'src/inc.js': `/** Adds one. */\n${stub('inc')}` }
    const { built, project } = await build([
      good.scaffold,
      good.tests,
      good.code,
      { ...good.review, reply: { MoreTests: { critiques: [critique], additionalTests: [] } } },
      { ...good.tests, files: {} },
      { ...good.code, files: written, reply: ambiguity },
      { ...good.scaffold, when: { ...good.scaffold.when, contains: 'two readings.' }, files: written },
      { ...good.tests, files: {} },
      good.code,
      good.review,
    ])
    expectExit(built, 0)
    const implementer = (await told(project, 'implement')).at(-1)!
    expect(implementer.last).toContain('Your earlier work is in your folder again: src/inc.js.')
    expect(implementer.last).not.toContain('What you wrote')
    // The review asked for no test: those of the new scaffold are not its own.
    expect((await told(project, 'review-impl')).at(-1)!.last).not.toContain('passed at once')
  })

  it('[GR1] [VF8] impl SpecAmbiguity goes to the scaffold, and its files are put onto what follows', async () => {
    const ambiguity = {
      SpecAmbiguity: { specSentence: 'inc-1 holds', contradictionTrace: 'two readings.', question: 'Which?' },
    }
    const left = { 'README.md': '# inc\n', ...good.code.files, 'test/inc.test.js': '' }
    const again = 'Your earlier work is in your folder again: README.md.\nWhat you wrote in src/inc.js is not there:'
    const { built, order, project } = await build([
      good.scaffold,
      good.tests,
      { ...good.code, files: left, reply: ambiguity },
      {
        ...good.scaffold,
        when: { ...good.scaffold.when, contains: 'two readings.' },
        files: { 'src/inc.js': `/** Adds one. */\n${stub('inc')}` },
      },
      { ...good.tests, files: {} },
      { ...good.code, when: { ...good.code.when, contains: again }, files: {}, reply: stuck },
      good.code,
      good.review,
    ])
    expectExit(built, 3)
    expect(order[3]).toBe('scaffold inc')
    expectExit(await project.convene('answer', built.report.questions![0]!.id, 'retry'), 0)
    const resumed = await project.convene('resume', built.report.run)
    expectExit(resumed, 0)
    const { commit } = resumed.report as { commit: string }
    expect(project.read(commit, 'README.md')).toBe('# inc')
    expect(project.read(commit, 'test/inc.test.js')).toContain('inc-1')
  })

  it('[GR3] what a new scaffold says about a test that was written reaches its author', async () => {
    const critique = { file: 'src/inc.js', line: 2, issue: 'three is left out', requiredFix: 'add one' }
    const ambiguity = { specSentence: 'inc-1 holds', contradictionTrace: 'No test tries three.', question: 'Must it?' }
    const { InitWork } = good.scaffold.reply
    const testPlan = InitWork.testPlan.map((test) => ({ ...test, approach: 'call it, with three too' }))
    const tests = { 'inc: inc-1': 'assert.equal(inc(1), 2); assert.equal(inc(3), 4)' }
    const { built, order } = await build([
      good.scaffold,
      good.tests,
      { ...good.code, files: { 'src/inc.js': code('inc', 'value === 3 ? 0 : value + 1') } },
      { ...good.review, reply: { MoreTests: { critiques: [critique], additionalTests: [] } } },
      { ...good.tests, files: {} },
      { ...good.code, files: {}, reply: { SpecAmbiguity: ambiguity } },
      { ...good.scaffold, files: {}, reply: { InitWork: { ...InitWork, testPlan } } },
      {
        ...good.tests,
        when: { ...good.tests.when, contains: '- inc-1: `inc: inc-1` (call it, with three too)' },
        files: { 'test/inc.test.js': testFile('inc', tests) },
      },
      good.code,
      good.review,
    ])
    expectExit(built, 0)
    expect(order.slice(6)).toEqual(['scaffold inc', 'write-tests inc', 'implement inc', 'review-impl inc'])
  })

  it('[GR1] impl Stuck goes to a person; retrying asks again, from attempt 1', async () => {
    const { project, built } = await build([
      good.scaffold,
      good.tests,
      { ...good.code, files: {}, reply: stuck },
      { ...good.code, when: { ...good.code.when, attempt: 1 } },
      good.review,
    ])
    expectExit(built, 3)
    expect(built.report.questions![0]!.text).toContain('no idea')
    const { stdout } = await project.convene('questions')
    expect(JSON.parse(stdout).questions).toHaveLength(1)
    expectExit(await project.convene('answer', built.report.questions![0]!.id, 'retry'), 0)
    expectExit(await project.convene('resume', built.report.run), 0)
  })

  it('[MG2] merger MergeRejected goes to impl with the failing tests', async () => {
    // A test outside the node is no longer run: nothing turns red, so the claim holds, and the merge detects it.
    const files = { 'src/base.js': 'export const base = 1\n', 'test/base.test.js': baseTest }
    const breaks = { ...good.code, files: { 'src/inc.js': code('inc'), 'src/base.js': 'export const base = 2\n' } }
    const rejected = {
      MergeRejected: { reason: 'IntegrationFailure', details: 'base changed', failingTests: ['base is one'] },
    }
    const { built, order, project, routes } = await build(
      [
        good.scaffold,
        good.tests,
        breaks,
        good.review,
        { when: { ask: 'merge', node: 'inc', contains: 'base is one' }, reply: rejected },
        {
          ...good.code,
          when: { ...good.code.when, contains: 'base changed' },
          files: { 'src/base.js': files['src/base.js'] },
        },
        good.review,
      ],
      { files },
    )
    expectExit(built, 0)
    expect(order.slice(4)).toEqual(['merge inc', 'implement inc', 'review-impl inc'])
    const [, again] = await told(project, 'review-impl')
    expect(again!.last).toContain('\n\nDoes the code still meet each criterion? You change no files.')
    expect(routes).toContainEqual(expect.objectContaining({ from: 'merger', exit: 'MergeRejected', to: ['impl'] }))
  })

  it('[MG2] merger MergeComplete counts only if the merged tree passes', async () => {
    const files = { 'src/base.js': 'export const base = 1\n', 'test/base.test.js': baseTest }
    const breaks = { ...good.code, files: { 'src/inc.js': code('inc'), 'src/base.js': 'export const base = 2\n' } }
    const merge: Line = { when: { ask: 'merge', node: 'inc' }, reply: { MergeComplete: {} } }
    const { built, events, project } = await build(
      [
        good.scaffold,
        good.tests,
        breaks,
        good.review,
        merge,
        { ...merge, files: { 'src/base.js': files['src/base.js'] } },
      ],
      { files },
    )
    expectExit(built, 0)
    expect(ofType(events, 'reply.refused')).toEqual([expect.objectContaining({ kind: 'merge', attempt: 1 })])
    expect(project.read(built.report.commit!, 'src/base.js')).toContain('base = 1')
  })
})

const baseTest = `import assert from 'node:assert'
import { test } from 'node:test'
import { base } from '../src/base.js'
if (base === 1) test('base is one', () => { assert.equal(base, 1) })
test('never green', () => { assert.equal(base, 0) })
`

describe('caps', () => {
  it('[GR4] the third MoreTests goes to a person', async () => {
    const more: Line = { ...good.review, reply: { MoreTests: { critiques: [], additionalTests: [] } } }
    const again = [
      { ...good.tests, files: {} },
      { ...good.code, files: {} },
    ]
    const { built, routes } = await build([good.scaffold, good.tests, good.code, more, ...again, more, ...again, more])
    expectExit(built, 3)
    expect(routes.at(-1)).toMatchObject({ exit: 'MoreTests', capped: 'reviews', action: 'escalate' })
    expect(built.report.questions![0]!.text).toContain('cap: reviews')
  })

  it('[GR4] the third InvalidScaffold goes to a person', async () => {
    const invalid: Line = {
      ...good.tests,
      files: {},
      reply: { InvalidScaffold: { missingType: 'T', expectedLocation: 'x' } },
    }
    const { built, routes } = await build([1, 2, 3].flatMap(() => [good.scaffold, invalid]))
    expectExit(built, 3)
    expect(routes.at(-1)).toMatchObject({ exit: 'InvalidScaffold', capped: 'scaffolds' })
    expect(built.report.questions![0]!.text).toContain('cap: scaffolds')
  })

  it('[GR4] the third MergeRejected goes to a person', async () => {
    const files = { 'src/base.js': 'export const base = 1\n', 'test/base.test.js': baseTest }
    const breaks = { ...good.code, files: { 'src/inc.js': code('inc'), 'src/base.js': 'export const base = 2\n' } }
    const rejected: Line = {
      when: { ask: 'merge', node: 'inc' },
      reply: { MergeRejected: { reason: 'IntegrationFailure', details: 'base changed', failingTests: [] } },
    }
    const again: Line[] = [good.review, rejected, { ...good.code, files: {} }]
    const { built, routes } = await build(
      [good.scaffold, good.tests, breaks, ...again, ...again, good.review, rejected],
      { files },
    )
    expectExit(built, 3)
    expect(routes.at(-1)).toMatchObject({ exit: 'MergeRejected', capped: 'merges' })
    expect(built.report.questions![0]!.text).toContain('cap: merges')
  })

  it('[GR4] five refused replies go to a person, with the reasons', async () => {
    const lies = [1, 2, 3, 4, 5].map((): Line => ({ ...good.code, files: { 'src/inc.js': code('inc', 'value') } }))
    const { built, events } = await build([good.scaffold, good.tests, ...lies])
    expectExit(built, 3)
    expect(ofType(events, 'reply.refused').map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5])
    expect(built.report.questions![0]!.context.detail).toContain('the tests do not pass in a clean checkout')
  })

  it('[GR8] refuses a part too deep, too many parts, or a cycle, with the ids', async () => {
    const childSpecs = [
      specOf('one', ['inc-1'], { dependsOn: ['two'] }),
      specOf('two', ['inc-2'], { dependsOn: ['one'] }),
    ]
    const both = specOf('inc', ['inc-1', 'inc-2'])
    const cyclic: Line = {
      ...honest(both).scaffold,
      reply: { InitWork: { ...honest(both).scaffold.reply.InitWork, testPlan: [], childSpecs } },
    }
    const project = buildProject({ spec: both, lines: [cyclic, ...leaf(both)] })
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 0)
    const [refused] = ofType(await project.events(), 'reply.refused')
    expect(JSON.stringify(refused)).toMatch(/cycle: one → two → one/)
  })
})

describe('invalid input', () => {
  it('an unreadable or incomplete spec exits with 2 and says where', async () => {
    const project = buildProject({ spec: { ...spec, acceptanceCriteria: [] }, lines: [] })
    const built = await project.build()
    expectExit(built, 2)
    expect(built.report.error).toMatchObject({ code: 'invalid_spec', path: 'acceptanceCriteria' })
    expectExit(await project.convene('build', 'nowhere.yaml'), 2)
    // Aliases of aliases: a few lines that would expand to millions.
    const tenfold = (from: string) => `[${Array(10).fill(`*${from}`).join(', ')}]`
    const lines = ['b', 'c', 'd', 'e'].map((key, index) => `${key}: &${key} ${tenfold('abcd'[index]!)}\n`)
    project.write({ 'growing.yaml': `a: &a [x, x]\n${lines.join('')}` })
    const growing = await project.convene('build', 'growing.yaml')
    expectExit(growing, 2)
    expect(growing.report.error).toMatchObject({ code: 'invalid_spec', path: 'growing.yaml' })
    expectExit(await project.convene('build', 'spec.json', '--strategy', 'waterfall'), 2)
  })

  it('a script without a matching line exits with 2 and names the ask', async () => {
    const { built, project } = await build([good.scaffold])
    expectExit(built, 2)
    expect(built.report.reason).toMatch(/script\.yaml has no line left for agent .* ask "write-tests"/)
    expect(project.git('worktree', 'list').split('\n')).toHaveLength(1)
  })
})
