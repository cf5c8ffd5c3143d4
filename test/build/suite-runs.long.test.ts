/** How often a build runs the project's test command: once for each tree and command. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { start, temporaryFolder } from '../support/convene.ts'
import {
  asked,
  buildProject,
  expectExit,
  held,
  honest,
  type Line,
  leaf,
  ofType,
  type Project,
  type SpecFile,
  specOf,
  testCommand,
  testFile,
} from './project.ts'

const patience = 240_000

/** A project whose test command appends its arguments to a file outside the project, one line per run. */
function countingProject(options: { spec: SpecFile; lines: Line[]; command: (script: string) => string }) {
  const log = join(temporaryFolder(), 'runs')
  const script = `echo "run $*" >> ${log}\n${testCommand} --test-reporter=tap "$@"\n`
  const project = buildProject({
    spec: options.spec,
    lines: options.lines,
    files: { 'run-tests.sh': script },
    build: { test: options.command('run-tests.sh'), sandbox: 'off' },
  })
  const runs = () => readFileSync(log, 'utf8').trim().split('\n')
  return { project, runs }
}

/** Cannot run single files, like `make test`. */
const wholeOnly = (script: string) => `sh ${script} 2>&1`

async function evidenceOf(project: Project) {
  const evidence = ofType(await project.events(), 'evidence.recorded')
  return { ran: evidence.filter(({ reused }) => !reused), reused: evidence.filter(({ reused }) => reused) }
}

describe('the test command of a build', () => {
  const spec = specOf('inc')

  it('[VF4] [VF7] runs twice for an accepted leaf, red and green; reused results say so', {
    timeout: patience,
  }, async () => {
    const { project, runs } = countingProject({ spec, lines: leaf(spec), command: wholeOnly })
    const built = await project.build('--strategy', 'graph', '--merge')
    expectExit(built, 0)
    expect(built.report).toMatchObject({ status: 'done', merged: true })
    expect(runs()).toHaveLength(2)
    const { ran, reused } = await evidenceOf(project)
    expect(ran.map(({ purpose, exit_code }) => [purpose, exit_code])).toEqual([
      ['red', 1],
      ['claim', 0],
    ])
    // The contract suite cannot run alone: its result is that of the whole run, on the same tree.
    const { command, tree, commit, output_ref, tests } = ran[1]!
    const result = { command, tree, commit, output_ref, tests, exit_code: 0 }
    expect(reused).toMatchObject([{ ...result, purpose: 'claim', milliseconds: 0 }])
  })

  it('[MG2] does not run for a merge that leaves the verified tree unchanged', { timeout: patience }, async () => {
    const lines = leaf(spec).map((line) => (line.when.ask === 'implement' ? { ...line, ...held } : line))
    const { project, runs } = countingProject({ spec, lines, command: wholeOnly })
    const building = start(['build', 'spec.json', '--strategy', 'graph', '--merge', '--json'], { cwd: project.folder })
    await project.until((events) => asked(events).includes('implement inc'))
    project.git('commit', '--quiet', '--allow-empty', '--message=mine')
    project.release()
    const { code, stdout, stderr } = await building.finished
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'done', merged: true })
    expect(project.git('log', '-1', '--format=%P', 'main').split(' ')).toHaveLength(2)
    expect(runs()).toHaveLength(2)
    const { reused } = await evidenceOf(project)
    expect(reused.filter(({ purpose }) => purpose === 'target')).toMatchObject([
      { exit_code: 0, commit: project.git('rev-parse', 'main') },
      { exit_code: 0, commit: project.git('rev-parse', 'main') },
    ])
  })

  it('[VF4] actually runs a second time after a failure, and says so', { timeout: patience }, async () => {
    const marker = join(temporaryFolder(), 'failed-once')
    const { tests, ...others } = honest(spec)
    const flaky = `(await import('node:fs')).mkdirSync('${marker}')`
    const path = spec.testPath
    const checks = {
      'inc: inc-1': 'assert.equal(inc(1), 2)',
      'inc fails once': `let isFirst = true; try { ${flaky} } catch { isFirst = false }; assert.equal(isFirst, false)`,
    }
    const files = { [path]: testFile('inc', checks).replaceAll('() => {', 'async () => {') }
    // The stub fails before the flaky test can, so the flaky test first fails on the claim.
    const waiting = files[path]!.replace('let isFirst', 'inc(1); let isFirst')
    const lines = [others.scaffold, { ...tests, files: { [path]: waiting } }, others.code, others.review]
    const { project, runs } = countingProject({ spec, lines, command: wholeOnly })
    expectExit(await project.build('--strategy', 'graph'), 0)
    expect(runs()).toHaveLength(3)
    const { ran } = await evidenceOf(project)
    expect(ran.map(({ purpose, exit_code }) => [purpose, exit_code])).toEqual([
      ['red', 1],
      ['claim', 1],
      ['claim', 0],
    ])
  })

  it('[RB1] runs as a whole at most three times for a leaf whose sibling was merged meanwhile', {
    timeout: patience,
  }, async () => {
    const top = specOf('calc', ['one', 'two', 'kept'])
    const parts = [specOf('left', ['one']), specOf('right', ['two'])]
    const whole = honest(top)
    const plan = whole.scaffold.reply.InitWork.testPlan.filter(({ criterionId }) => criterionId === 'kept')
    const lines: Line[] = [
      {
        ...whole.scaffold,
        reply: { InitWork: { ...whole.scaffold.reply.InitWork, testPlan: plan, childSpecs: parts } },
      },
      {
        ...whole.tests,
        files: { [top.testPath]: testFile('calc', { 'calc: kept': 'assert.equal(calc(1), 2)' }) },
        reply: { TestsReady: { testFiles: [top.testPath], pendingCriteria: ['kept'] } },
      },
      whole.code,
      whole.review,
      ...parts.flatMap((part) => {
        const lines = leaf(part).map((line) =>
          part.id === 'right' && line.when.ask === 'implement' ? { ...line, ...held } : line,
        )
        return [...lines, honest(part).judged('calc')]
      }),
    ]
    const { project, runs } = countingProject({ spec: top, lines, command: (script) => `sh ${script}` })
    const building = project.build('--strategy', 'graph')
    await project.until((events) => ofType(events, 'merge.completed').some(({ node }) => node === 'left'))
    project.release()
    expectExit(await building, 0)
    const { ran } = await evidenceOf(project)
    expect(runs()).toHaveLength(ran.length)
    const moved = ofType(await project.events(), 'rebase.finished').map(({ node }) => node)
    expect(moved).toContain('right')
    const wholeRuns = (node: string) => ran.filter((one) => one.node === node && one.command === 'sh run-tests.sh')
    expect(wholeRuns('left').length).toBeLessThanOrEqual(2)
    expect(wholeRuns('right').length).toBeLessThanOrEqual(3)
  })
})
