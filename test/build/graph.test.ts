/** The graph through the command: a leaf, a tree of parts, and what stays untouched meanwhile. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
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
  planOf,
  specOf,
  stub,
  testCommand,
  testFile,
} from './project.ts'

describe('a leaf', () => {
  it('is scaffolded, tested, implemented and reviewed in this order, and becomes one commit on its branch', async () => {
    const spec = specOf('inc', ['one', 'two'])
    // The reviewer sees the scaffold's files too.
    const seesAll = (line: Line): Line =>
      line.when.ask === 'review-impl'
        ? { ...line, when: { ...line.when, contains: '+++ b/contract/inc.test.js' } }
        : line
    const project = buildProject({ spec, lines: leaf(spec).map(seesAll) })
    const before = { head: project.git('rev-parse', 'HEAD'), index: project.git('ls-files', '--stage', '--debug') }

    const built = await project.build('--strategy', 'graph')

    expectExit(built, 0)
    const { report } = built
    expect(report).toMatchObject({ status: 'done', branch: 'convene/inc/main' })
    expect(project.git('rev-parse', 'convene/inc/main')).toBe(report.commit)
    expect(project.git('rev-parse', `${report.commit}^{tree}`)).toBe(report.tree)
    expect(project.git('rev-list', '--count', `main..${report.commit}`)).toBe('1')
    expect(project.read(report.commit!, 'src/inc.js')).toContain('value + 1')
    // The test command runs it.
    expect(project.read(report.commit!, 'contract/inc.test.js')).toContain('inc contract')
    const events = await project.events()
    expect(asked(events)).toEqual(['scaffold inc', 'write-tests inc', 'implement inc', 'review-impl inc'])
    const trailers = project.git('log', '-1', '--format=%(trailers)', report.commit!)
    expect(trailers).toContain(`Convene-Run: ${report.run}`)
    expect(trailers).toMatch(/Convene-Node: inc\nConvene-Spec: inc\nConvene-Criteria: one, two/)
    expect(project.git('log', '-1', '--format=%an <%ae>', report.commit!)).toBe('Ada <ada@example.org>')

    expect(project.git('rev-parse', 'HEAD')).toBe(before.head)
    expect(project.git('ls-files', '--stage', '--debug')).toBe(before.index)
    expect(project.git('status', '--porcelain')).toBe('')
    expect(project.git('worktree', 'list').split('\n')).toHaveLength(1)
    expect(project.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/convene/inc/main\nrefs/heads/main')
    expect(existsSync(project.worktrees) ? readdirSync(project.worktrees) : []).toEqual([])
  })

  it('[GR13] is tested and reviewed by another agent than the one that writes the code, and `why` says so', async () => {
    const spec = specOf('inc')
    const agent = { provider: 'rehearsal', script: '../script.yaml' }
    const project = buildProject({
      spec,
      lines: leaf(spec),
      config: { agents: { coder: agent, critic: agent, idle: agent } },
    })
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 0)
    expect(ofType(await project.events(), 'task.put').map(({ kind, agent }) => `${kind} ${agent}`)).toEqual([
      'scaffold coder',
      'write-tests critic',
      'implement coder',
      'review-impl critic',
    ])
    const why = await project.convene('why', built.report.commit!)
    expect(JSON.parse(why.stdout)).toMatchObject({
      words: {
        decisions: [
          { decision: 'coder: interface, code', grounds: 'the first agent' },
          { decision: 'critic: tests, review', grounds: 'coder writes the code, so another agent judges it' },
        ],
      },
    })
  })

  it('[MG5] leaves no contract suite behind that the test command does not run', async () => {
    const spec = specOf('inc', ['one'])
    const build = { test: `${testCommand} "test/*.test.js"` }
    const project = buildProject({ spec, lines: leaf(spec), build })
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 0)
    const files = project.git('ls-tree', '-r', '--name-only', built.report.commit!).split('\n')
    expect(files).toEqual(expect.arrayContaining(['src/inc.js', 'test/inc.test.js']))
    expect(files).not.toContain('contract/inc.test.js')
    expect(built.stderr).toContain('left out, because the test command does not run it: contract/inc.test.js')
  })

  it('[VF7] every claim has its evidence: command, exit code, counts, output by reference', async () => {
    const spec = specOf('inc')
    const project = buildProject({ spec, lines: leaf(spec) })
    expectExit(await project.build('--strategy', 'graph'), 0)
    const events = await project.events()
    // [AS5] Every ask says what its prompt is made of.
    for (const { kind, prompt } of ofType(events, 'ask.started'))
      expect([kind, Object.keys(prompt as object)]).toEqual([kind, expect.arrayContaining(['frame', 'task'])])
    const evidence = ofType(events, 'evidence.recorded')
    const red = evidence.find(({ purpose }) => purpose === 'red')
    // Red runs the new tests alone.
    expect(red).toMatchObject({
      command: expect.stringContaining('test/inc.test.js'),
      exit_code: 1,
      tests: { parsed: true, failed: 1 },
      output_ref: expect.stringMatching(/^sha256:/),
    })
    const claims = evidence.filter(({ purpose }) => purpose === 'claim')
    expect(claims.map(({ exit_code }) => exit_code)).toEqual([0, 0])
    expect(claims[0]).toMatchObject({ tests: { passed: 2, failed: 0 } })
  })
})

describe('a tree of parts', () => {
  const top = specOf('calc', ['a', 'b', 'c', 'kept'])
  const left = specOf('left', ['a', 'b'])
  const inner = specOf('inner', ['b'])
  const right = specOf('right', ['c'])

  /** Uses its parts; its stub is the interface, its contract covers what it handed out. */
  function parent(spec: typeof top, parts: (typeof top)[], expression: string, contract: string): Line[] {
    const whole = honest(spec)
    const suite = `contract/${spec.id}.test.js`
    const given = parts.flatMap(({ acceptanceCriteria }) => acceptanceCriteria.map(({ id }) => id))
    const plan = planOf(spec).filter(({ criterionId }) => !given.includes(criterionId))
    const tests = Object.fromEntries(
      plan.map(({ plannedTestName }) => [plannedTestName, `assert.equal(${spec.id}(1), ${expression})`]),
    )
    const uses = parts.map(({ id }) => `import { ${id} } from './${id}.js'\n`).join('')
    const value = parts.reduce((inside, { id }) => `${id}(${inside})`, 'value')
    return [
      {
        ...whole.scaffold,
        files: { [spec.targetPath]: stub(spec.id), [suite]: contract },
        reply: {
          InitWork: {
            interfaceFile: spec.targetPath,
            contractSuite: suite,
            testPlan: plan,
            childSpecs: parts.map(({ id, description, acceptanceCriteria, targetPath, testPath }) => ({
              id,
              description,
              acceptanceCriteria,
              targetPath,
              testPath,
            })),
          },
        },
      },
      { ...whole.tests, files: { [spec.testPath]: testFile(spec.id, tests) } },
      { ...whole.code, files: { [spec.targetPath]: uses + code(spec.id, value) } },
      whole.review,
    ]
  }

  it('[GR2] builds three parts in two levels in separate worktrees, merges them upwards, and the result passes', async () => {
    const lines = [
      ...parent(top, [left, right], '5', testFile('calc', { 'calc contract': 'assert.equal(calc(0), 4)' })),
      ...parent(left, [inner], '3', testFile('left', { 'left contract': 'assert.equal(left(0), 2)' })).map((line) =>
        line.when.ask === 'implement'
          ? {
              ...line,
              files: { 'src/left.js': `import { inner } from './inner.js'\n${code('left', 'inner(value) + 1')}` },
            }
          : line,
      ),
      ...leaf(inner),
      ...leaf(right),
      honest(left).judged('calc'),
      honest(right).judged('calc'),
      honest(inner).judged('left'),
    ]
    const calc = lines.find(({ when }) => when.ask === 'implement' && when.node === 'calc')!
    calc.files = {
      'src/calc.js': `import { left } from './left.js'\nimport { right } from './right.js'\n${code('calc', 'right(left(value)) + 1')}`,
    }
    const project = buildProject({ spec: top, lines })

    const built = await project.build('--strategy', 'graph')

    expectExit(built, 0)
    const { commit } = built.report
    project.git('worktree', 'add', '--quiet', '../result', commit!)
    const tests = execFileSync(process.execPath, ['--test'], { cwd: `${project.folder}/../result`, encoding: 'utf8' })
    expect(tests).toMatch(/fail 0/)
    const nodes = project.git('log', '--format=%(trailers:key=Convene-Node,valueonly,separator=)', `main..${commit}`)
    const named = nodes.split('\n').filter(Boolean)
    expect(new Set(named)).toEqual(new Set(['calc', 'calc/left', 'calc/right', 'calc/left/inner']))
    const events = await project.events()
    const order = asked(events)
    expect(order.indexOf('implement calc')).toBeGreaterThan(order.indexOf('judge-child calc'))
    expect(
      ofType(events, 'merge.completed')
        .map(({ node }) => node)
        .sort(),
    ).toEqual(['calc', 'inner', 'left', 'right'])
    expect(ofType(events, 'child.judged').map(({ verdict }) => verdict)).toEqual(['accepted', 'accepted', 'accepted'])
  })
})
