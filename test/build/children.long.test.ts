/** A parent whose parts go wrong: failures, judgements, contracts, and which tests each part may see when. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  approved,
  asked,
  type Built,
  buildProject,
  code,
  expectExit,
  held,
  honest,
  type Line,
  leaf,
  ofType,
  type Project,
  planOf,
  type SpecFile,
  specOf,
  stub,
  testFile,
} from './project.ts'

const slow = 300_000
const stuck = { Stuck: { diagnosis: 'no idea', recommendation: 'ask someone', attempts: 1 } }

/** Each contract test imports its part when it runs, so that a missing part fails only its own test. */
function contractOf(tests: Record<string, { part: string; check: string }>): string {
  const body = Object.entries(tests).map(
    ([name, { part, check }]) =>
      `test('${name}', async () => { const { ${part} } = await import('../src/${part}.js'); ${check} })\n`,
  )
  return `import assert from 'node:assert'\nimport { test } from 'node:test'\n${body.join('')}`
}

/** A parent that keeps the criterion `kept`, hands out the others, and adds one in its own code. */
function parentOf(id: string, parts: SpecFile[], contract: Parameters<typeof contractOf>[0]) {
  const given = parts.flatMap(({ acceptanceCriteria }) => acceptanceCriteria.map((criterion) => criterion.id))
  const spec = specOf(id, [...given, 'kept'])
  const good = honest(spec)
  const plan = planOf(spec).filter(({ criterionId }) => criterionId === 'kept')
  const suite = `contract/${id}.test.js`
  const scaffold: Line = {
    ...good.scaffold,
    files: { [spec.targetPath]: stub(id), [suite]: contractOf(contract) },
    reply: {
      InitWork: { interfaceFile: spec.targetPath, contractSuite: suite, testPlan: plan, childSpecs: parts },
    },
  }
  const tests: Line = {
    ...good.tests,
    files: { [spec.testPath]: testFile(id, { [plan[0]!.plannedTestName]: `assert.equal(${id}(1), 2)` }) },
  }
  return { spec, lines: { scaffold, tests, code: good.code as Line, review: good.review as Line } }
}

const failed = (parent: string, child: string, reply: unknown): Line => ({
  when: { ask: 'child-failed', node: parent, contains: `# ${child}, a part of ${parent}, has failed` },
  reply,
})

describe('a parent that keeps only what a reviewer checks', () => {
  const target = 'README.md'
  const written = '# Whole\n\nIt has part.\n'

  async function build(readme: string, implemented: Pick<Line, 'files' | 'reply'>): Promise<[Built, Project]> {
    const part = specOf('part', ['p'])
    const { spec, lines } = parentOf('whole', [part], {
      'p holds': { part: 'part', check: 'assert.equal(part(1), 2)' },
    })
    const kept = { id: 'kept', text: 'README.md names the part', kind: 'review' as const }
    const given = spec.acceptanceCriteria.filter(({ id }) => id !== 'kept')
    const description = 'Write the whole\n\nNobody knew of part.\n\nUse plain words.'
    const whole = { ...spec, description, targetPath: target, acceptanceCriteria: [...given, kept] }
    const suite = 'contract/whole.test.js'
    const project = buildProject({
      spec: whole,
      lines: [
        {
          ...lines.scaffold,
          files: { [target]: readme, 'src/part.js': stub('part'), [suite]: lines.scaffold.files![suite]! },
          reply: { InitWork: { interfaceFile: target, contractSuite: suite, testPlan: [], childSpecs: [part] } },
        },
        ...leaf(part),
        honest(part).judged('whole'),
        { when: { ask: 'write-tests', node: 'whole' }, reply: { TestsReady: { testFiles: [] } } },
        { ...lines.code, ...implemented },
        {
          ...lines.review,
          reply: { Approved: { signOff: 'good', checked: [{ criterionId: 'kept', finding: 'README.md' }] } },
        },
      ],
    })
    const built = await project.build('--strategy', 'graph')
    expect(ofType(await project.events(), 'reply.refused').map(({ problems }) => problems)).toEqual([])
    expectExit(built, 0)
    return [built, project]
  }

  it('[VF14] needs no test of its own: its part has them', { timeout: slow }, async () => {
    await build('# Whole\n', { files: { [target]: written } })
  })

  it('[MG1] says in its commit what the spec says where its implementer had nothing to write', {
    timeout: slow,
  }, async () => {
    const summary = 'Nothing was left to write here'
    const [{ report }, project] = await build(written, { files: {}, reply: { TestsPassed: { summary } } })
    expect(project.git('log', '-1', '--format=%B', report.commit!)).toMatch(
      /^Write the whole\n\nNobody knew of part\.\n\n- p holds\n- README\.md names the part\n\nConvene-Run/,
    )
  })
})

describe('a part that fails', () => {
  it('[GR6] [GR8] is retried, taken over or dropped as its parent says; its dependents wait', {
    timeout: slow,
  }, async () => {
    const parts = {
      again: specOf('again', ['a']),
      taken: specOf('taken', ['t']),
      dropped: specOf('dropped', ['d']),
      after: specOf('after', ['z'], { dependsOn: ['again', 'taken'] }),
      other: specOf('other', ['o']),
    }
    const top = parentOf('whole', Object.values(parts), {
      't holds': { part: 'taken', check: 'assert.equal(taken(1), 2)' },
      'd holds': { part: 'dropped', check: 'assert.equal(dropped(1), 2)' },
    })
    const gives = (spec: SpecFile): Line[] => {
      const [scaffold, tests, implement] = leaf(spec) as [Line, Line, Line, Line]
      return [{ ...scaffold, ...held }, tests, { ...implement, files: {}, reply: stuck }]
    }
    const [, , againCode, againReview] = leaf(parts.again) as [Line, Line, Line, Line]
    const project = buildProject({
      spec: top.spec,
      build: { max_parallel: 2 },
      lines: [
        top.lines.scaffold,
        top.lines.tests,
        {
          ...top.lines.code,
          when: { ...top.lines.code.when, contains: 'fall to you: t.' },
          files: { 'src/whole.js': code('whole'), 'src/taken.js': code('taken') },
        },
        top.lines.review,
        ...gives(parts.again),
        failed('whole', 'again', { Retry: { reason: 'count from one' } }),
        { ...againCode, when: { ...againCode.when, contains: 'whole, of which this is a part, says: count from one' } },
        againReview,
        ...gives(parts.taken),
        failed('whole', 'taken', { TakeOver: { reason: 'it is small' } }),
        ...gives(parts.dropped),
        failed('whole', 'dropped', { Drop: { reason: 'nobody needs it' } }),
        ...leaf(parts.after),
        ...leaf(parts.other),
        ...['again', 'after', 'other'].map((id) => honest(specOf(id)).judged('whole')),
      ],
    })

    const building = project.build('--strategy', 'graph')
    await project.until((events) => mostAtOnce(events) > 1)
    project.release()
    const built = await building

    expectExit(built, 0)
    const events = await project.events()
    expect(
      ofType(events, 'child.failed')
        .map(({ child, action }) => `${child} ${action}`)
        .sort(),
    ).toEqual(['again retry', 'dropped drop', 'taken take-over'])
    for (const { reason } of ofType(events, 'child.failed')) expect(reason).toContain('no idea')
    const at = (test: (event: (typeof events)[number]) => boolean) => events.findIndex(test)
    const begins = at(({ type, data }) => type === 'node.started' && data.node === 'after')
    expect(begins).toBeGreaterThan(at(({ type, data }) => type === 'merge.completed' && data.node === 'again'))
    expect(begins).toBeGreaterThan(at(({ type, data }) => type === 'child.failed' && data.child === 'taken'))

    const { commit } = built.report
    const files = project.git('ls-tree', '-r', '--name-only', commit!).split('\n')
    expect(files).toEqual(expect.arrayContaining(['src/again.js', 'src/taken.js', 'src/after.js', 'src/other.js']))
    expect(files).not.toContain('src/dropped.js')
    const criteria = project.git('log', '-1', '--format=%(trailers:key=Convene-Criteria,valueonly)', commit!)
    expect(criteria.split(', ').sort()).toEqual(['a', 'kept', 'o', 't', 'z'])
    expect(project.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/convene').split('\n')).toContain(
      'convene/whole/main',
    )

    expect(mostAtOnce(events)).toBe(2)
  })

  it('[GR6] goes to a person if its parent does not know either; giving up ends the build', {
    timeout: slow,
  }, async () => {
    const parts = [specOf('left', ['l']), specOf('right', ['r'])] as const
    const top = parentOf('pair', [...parts], { 'l holds': { part: 'left', check: 'assert.equal(left(1), 2)' } })
    const [scaffold, tests, implement] = leaf(parts[0]) as [Line, Line, Line]
    const gives = { ...implement, files: {}, reply: stuck }
    const project = buildProject({
      spec: top.spec,
      lines: [
        top.lines.scaffold,
        top.lines.tests,
        ...[scaffold, tests, gives],
        failed('pair', 'left', { Escalate: { reason: 'I cannot tell' } }),
        { ...gives, when: { ...gives.when, contains: 'Read the manual.' } },
        { ...failed('pair', 'left', undefined), fail: 'refused' },
        // Still at work when the other is given up.
        ...leaf(parts[1]).map((line) => (line.when.ask === 'implement' ? { ...line, ...held } : line)),
      ].map((line) => JSON.parse(JSON.stringify(line))),
    })
    const first = project.build('--strategy', 'graph')
    const question = async (number: number) => {
      while (ofType(await project.events().catch(() => []), 'question.asked').length < number) await sleep(50)
      const { stdout } = await project.convene('questions')
      return JSON.parse(stdout).questions[0]
    }
    const open = await question(1)
    expect(open.text).toContain('its part left failed: Stuck: no idea; I cannot tell')
    expect(open.choices).toEqual(['retry', 'give up'])
    expectExit(await project.convene('answer', open.id, 'Read the manual.'), 0)
    const second = await question(2)
    expect(second.text).toContain('did not deal with it')
    expectExit(await project.convene('answer', second.id, 'give up'), 0)
    const ended = await first
    expectExit(ended, 1)
    expect(ended.report).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('left failed: Stuck: no idea'),
    })
    // Nothing keeps running for a build that has ended.
    const { stdout } = await project.convene('runs')
    expect(JSON.parse(stdout).runs.filter(({ status }: { status: string }) => status === 'running')).toEqual([])
    expect(project.git('worktree', 'list').split('\n')).toHaveLength(1)
  })
})

describe('a part that is judged', () => {
  it('[GR7] [GR2] goes back to its tests, fails, or is caught by the contract of all; it sees no test of its parent', {
    timeout: slow,
  }, async () => {
    const left = specOf('left', ['l'])
    const right = specOf('right', ['r'])
    const wrong = specOf('wrong', ['w'])
    const top = parentOf('whole', [left, right, wrong], {
      'l holds': { part: 'left', check: 'assert.equal(left(1), 2)' },
      'r holds everywhere': { part: 'right', check: 'assert.equal(right(5), 6)' },
      'the whole holds': { part: 'whole', check: 'assert.equal(whole(5), 6)' },
    })
    const of = { left: honest(left), right: honest(right), wrong: honest(wrong) }
    const more = {
      MoreTests: {
        critiques: [{ file: 'src/left.js', line: 2, issue: 'zero is not looked at', requiredFix: 'test it' }],
        additionalTests: [{ criterionId: 'l', plannedTestName: 'left: zero', approach: 'call it' }],
      },
    }
    const judged = (child: string, reply: unknown): Line => ({
      when: { ask: 'judge-child', node: 'whole', contains: `# Judge ${child}, a part of whole` },
      reply,
    })
    const weak = (id: string) => testFile(id, { [`${id} contract`]: `assert.equal(${id}(1), 2)` })
    const zero = testFile('left', { 'left: l': 'assert.equal(left(1), 2)', 'left: zero': 'assert.equal(left(0), 1)' })
    const project = buildProject({
      spec: top.spec,
      lines: [
        top.lines.scaffold,
        top.lines.tests,
        top.lines.code,
        top.lines.review,

        {
          ...of.left.scaffold,
          after_ms: 1500,
          files: { ...of.left.scaffold.files, 'contract/left.test.js': weak('left') },
        },
        of.left.tests,
        { ...of.left.code, files: { 'src/left.js': code('left', 'value === 0 ? 9 : value + 1') } },
        of.left.review,
        judged('left', more),
        {
          ...of.left.tests,
          when: { ...of.left.tests.when, contains: 'left: zero' },
          files: { 'test/left.test.js': zero },
        },
        { ...of.left.code, when: { ...of.left.code.when, contains: 'zero is not looked at' } },
        of.left.review,
        judged('left', approved),

        { ...of.right.scaffold, files: { ...of.right.scaffold.files, 'contract/right.test.js': weak('right') } },
        of.right.tests,
        { ...of.right.code, files: { 'src/right.js': code('right', 'value === 1 ? 2 : 0') } },
        of.right.review,
        judged('right', approved),
        { ...of.right.tests, when: { ...of.right.tests.when, contains: 'r holds everywhere' }, files: {} },
        { ...of.right.code, when: { ...of.right.code.when, contains: 'r holds everywhere' } },
        of.right.review,
        judged('right', approved),

        ...leaf(wrong),
        judged('wrong', { Reject: { reason: 'that is not what was meant', missingCriteria: ['w'] } }),
        { ...failed('whole', 'wrong', { Retry: { reason: 'read the text again' } }) },
        ...leaf(wrong).map((line) =>
          line.when.ask === 'scaffold' ? { ...line, when: { ...line.when, contains: 'read the text again' } } : line,
        ),
        judged('wrong', approved),
      ],
    })

    const built = await project.build('--strategy', 'graph')

    expectExit(built, 0)
    const events = await project.events()
    const verdicts = ofType(events, 'child.judged').map(({ child, verdict }) => `${child} ${verdict}`)
    expect(verdicts.filter((line) => line.startsWith('left'))).toEqual(['left sent-back', 'left accepted'])
    expect(verdicts.filter((line) => line.startsWith('right'))).toEqual(['right accepted', 'right accepted'])
    expect(verdicts.filter((line) => line.startsWith('wrong'))).toEqual(['wrong escalate', 'wrong accepted'])
    expect(ofType(events, 'child.failed')).toEqual([expect.objectContaining({ child: 'wrong', action: 'retry' })])
    expect(
      ofType(events, 'merge.completed')
        .map(({ node }) => node)
        .sort(),
    ).toEqual(['left', 'left', 'right', 'right', 'whole', 'wrong', 'wrong'])
    const { commit } = built.report
    expect(project.read(commit!, 'src/left.js')).toBe(code('left').trim())
    expect(project.read(commit!, 'src/right.js')).toBe(code('right').trim())
    expect(project.read(commit!, 'test/left.test.js')).toContain('left: zero')

    // The parent's tests existed before any part was implemented, and no part has them.
    const order = events.findIndex(
      ({ type, data }) => type === 'ask.finished' && data.kind === 'write-tests' && data.node === 'whole',
    )
    const first = events.findIndex(
      ({ type, data }) => type === 'ask.started' && data.kind === 'implement' && data.node === 'left',
    )
    expect(order).toBeLessThan(first)
    for (const { node, mergeCommit } of ofType(events, 'merge.completed')) {
      const seen = project.git('ls-tree', '-r', '--name-only', mergeCommit as string).split('\n')
      expect(seen.includes('test/whole.test.js')).toBe(node === 'whole')
    }
    expect(asked(events).at(-1)).toBe('review-impl whole')
  })
})

it('[GR7] a contract test that needs what the parent has yet to bring sends no part back', {
  timeout: slow,
}, async () => {
  const half = specOf('half', ['h'])
  const { spec, lines } = parentOf('whole', [half], {})
  const suite = `import assert from 'node:assert'
import { test } from 'node:test'
import * as all from '../src/whole.js'
test('h holds through the whole', () => assert.equal(all.half(1), 2))
`
  const project = buildProject({
    spec,
    lines: [
      { ...lines.scaffold, files: { ...lines.scaffold.files, 'contract/whole.test.js': suite } },
      lines.tests,
      ...leaf(half),
      honest(half).judged('whole'),
      { ...lines.code, files: { 'src/whole.js': `export { half } from './half.js'\n${code('whole')}` } },
      lines.review,
    ],
  })
  const built = await project.build('--strategy', 'graph')
  const refused = ofType(await project.events(), 'reply.refused').map(({ problems }) => problems)
  expect([built.code, refused]).toEqual([0, []])
})

/** The maximum number of concurrent asks. */
function mostAtOnce(events: Awaited<ReturnType<Project['events']>>): number {
  let open = 0
  let most = 0
  for (const { type } of events) {
    if (type === 'ask.started') most = Math.max(most, ++open)
    if (type === 'ask.finished') open--
  }
  return most
}

it('[GR2] keeps the tests of a part and of its parent, although both were added to the end of one file', {
  timeout: slow,
}, async () => {
  const shared = 'test/shared.test.js'
  const old = `import assert from 'node:assert'\nimport { test } from 'node:test'\ntest('old', () => {})\n`
  const added = (id: string, title: string) =>
    `${old}import { ${id} } from '../src/${id}.js'\ntest('${title}', () => assert.equal(${id}(1), 2))\n`
  const half = specOf('half', ['h'], { testPath: shared })
  const top = parentOf('whole', [half], { 'h holds': { part: 'half', check: 'assert.equal(half(1), 2)' } })
  const part = honest(half)
  const ready = { TestsReady: { testFiles: [shared], pendingCriteria: ['kept'] } }
  const project = buildProject({
    spec: { ...top.spec, testPath: shared },
    files: { [shared]: old },
    lines: [
      top.lines.scaffold,
      { ...top.lines.tests, files: { [shared]: added('whole', 'whole: kept') }, reply: ready },
      part.scaffold,
      { ...part.tests, files: { [shared]: added('half', 'half: h') } },
      part.code,
      part.review,
      part.judged('whole'),
      top.lines.code,
      top.lines.review,
    ],
  })
  const built = await project.build('--strategy', 'graph')
  expectExit(built, 0)
  const text = project.read(built.report.commit!, shared)
  expect(text).toContain("test('half: h'")
  expect(text).toContain("test('whole: kept'")
  expect(text).not.toContain('<<<<<<<')
})

describe('tests of a part and of its parent in one file', () => {
  const shared = 'test/shared.test.js'
  const head = `import assert from 'node:assert'\nimport { describe, it } from 'node:test'\n`
  const suite = (id: string, title: string, more = '') =>
    `${head}import { ${id} } from '../src/${id}.js'\n\ndescribe('shared', () => {\n${more}  it('${title}', () => {\n    assert.equal(${id}(1), 2)\n  })\n})\n`
  const projectOf = (old: string | undefined, again: { files: Record<string, string> }[] = []) => {
    const half = specOf('half', ['h'], { testPath: shared })
    const top = parentOf('whole', [half], { 'h holds': { part: 'half', check: 'assert.equal(half(1), 2)' } })
    const part = honest(half)
    const ready = { TestsReady: { testFiles: [shared], pendingCriteria: ['kept'] } }
    const titled = (id: string, title: string) =>
      old === undefined ? suite(id, title) : suite(id, title, `  it('old', () => assert.ok('${id}'))\n`)
    return buildProject({
      spec: { ...top.spec, testPath: shared },
      files: {
        'test/other.test.js': `import { it } from 'node:test'\nit('other', () => {})\n`,
        ...(old ? { [shared]: old } : {}),
      },
      lines: [
        top.lines.scaffold,
        { ...top.lines.tests, files: { [shared]: titled('whole', 'whole: kept') }, reply: ready },
        ...again.map((one) => ({
          ...top.lines.tests,
          ...one,
          when: { ...top.lines.tests.when, contains: 'the file holds theirs now' },
          reply: ready,
        })),
        part.scaffold,
        { ...part.tests, files: { [shared]: titled('half', 'half: h') } },
        part.code,
        part.review,
        part.judged('whole'),
        top.lines.code,
        top.lines.review,
      ],
    })
  }

  it('[GR2] that both are new stand below the imports of both', { timeout: slow }, async () => {
    const project = projectOf(undefined)
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 0)
    const text = project.read(built.report.commit!, shared)
    expect(text.match(/node:test/g)).toHaveLength(1)
    expect(text).toMatch(/half: h[\s\S]*whole: kept/)
  })

  it('[GR2] that cannot stand together are written once more, beside those of the part', {
    timeout: slow,
  }, async () => {
    const old = `${head}\ndescribe('shared', () => {\n  it('old', () => {})\n})\n`
    const both = suite('half', 'half: h', `  it('old', () => assert.ok('half'))\n`)
      .replace(`\n\ndescribe`, `\nimport { whole } from '../src/whole.js'\n\ndescribe`)
      .replace(/\}\)\n$/, `  it('whole: kept', () => assert.equal(whole(1), 2))\n})\n`)
    const project = projectOf(old, [{ files: { [shared]: both } }])
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 0)
    expect(project.read(built.report.commit!, shared)).toBe(both.trimEnd())
    const events = await project.events()
    expect(asked(events).filter((one) => one === 'write-tests whole')).toHaveLength(2)
  })
})
