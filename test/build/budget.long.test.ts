/** What ends a build early (a budget, a stop, an interrupt), and how it resumes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { start } from '../support/convene.ts'
import {
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
  type Report,
  specOf,
  testFile,
} from './project.ts'

const slow = 300_000
const spec = specOf('inc')
const good = honest(spec)

const runsOf = async (project: Project) =>
  JSON.parse((await project.convene('runs')).stdout).runs as { id: string; kind: string; status: string }[]

describe('a budget', () => {
  it('[BU1] of calls, once exhausted, allows no further call, emits one event, and keeps partial results', {
    timeout: slow,
  }, async () => {
    const parts = [specOf('left', ['l']), specOf('right', ['r'])] as const
    const whole = specOf('pair', ['l', 'r'])
    const top = honest(whole)
    const project = buildProject({
      spec: whole,
      config: { budget: { calls: 7 } },
      lines: [
        { ...top.scaffold, reply: { InitWork: { ...top.scaffold.reply.InitWork, testPlan: [], childSpecs: parts } } },
        { ...top.tests, files: {}, reply: { TestsReady: { testFiles: [], pendingCriteria: [] } } },
        top.code,
        top.review,
        ...leaf(parts[0]),
        // Asked in time, and still at work when its sibling has used up the rest.
        ...leaf(parts[1]).map((line) => (line.when.ask === 'scaffold' ? { ...line, ...held } : line)),
        ...parts.map((part) => honest(part).judged('pair')),
      ],
    })
    const building = project.build('--strategy', 'graph')
    await project.until((events) => ofType(events, 'budget.exhausted').length > 0)
    project.release()
    const built = await building
    expectExit(built, 1)
    expect(built.report).toMatchObject({ status: 'failed', reason: 'budget_exhausted' })
    const events = await project.events()
    expect(ofType(events, 'ask.started')).toHaveLength(7)
    // The ask in flight when the budget ran out has finished.
    expect(ofType(events, 'ask.finished')).toHaveLength(7)
    expect(ofType(events, 'ask.finished').at(-1)).toMatchObject({ kind: 'scaffold', node: 'right', exit: 'InitWork' })
    expect(ofType(events, 'budget.exhausted')).toEqual([expect.objectContaining({ limit: 'calls' })])
    expect(ofType(events, 'merge.completed').map(({ node }) => node)).toEqual(['left'])
    const left = project.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/convene').split('\n')
    expect(left).toContain('convene/pair/+')
    expect(project.read('convene/pair/+', 'src/left.js')).toBe(code('left').trim())
    expect(project.git('worktree', 'list').split('\n')).toHaveLength(1)
    expect((await runsOf(project)).filter(({ status }) => status === 'running')).toEqual([])
  })

  it('[BU1] of minutes exits with 124', { timeout: slow }, async () => {
    const project = buildProject({
      spec,
      config: { budget: { minutes: 0.15 } },
      lines: [{ ...good.scaffold, after_ms: 10_000 }, good.tests, good.code, good.review],
    })
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 124)
    expect(built.report).toMatchObject({ status: 'failed', reason: 'out_of_time' })
    const events = await project.events()
    expect(asked(events)).toEqual(['scaffold inc'])
    expect(ofType(events, 'budget.exhausted')).toEqual([expect.objectContaining({ limit: 'minutes' })])
  })
})

describe('a build that is stopped', () => {
  const files = {
    'src/inc.js': code('inc'),
    'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2)' }),
  }
  const passed = { TestsPassed: { iterations: 1, passedTests: [] } }
  const lines: Line[] = [
    { when: { ask: 'implement' }, files: { ...files, 'src/inc.js': code('inc', 'value') }, reply: passed },
    {
      when: { ask: 'implement', attempt: 2 },
      files: { ...files, 'first.txt': 'bound\n' },
      reply: passed,
      ...held,
    },
    { when: { ask: 'implement', attempt: 2 }, files: { ...files, 'second.txt': 'not bound\n' }, reply: passed },
  ]

  /** Waits until the second attempt is under way: its line is bound then. */
  async function underWay(project: Project): Promise<string> {
    for (;;) {
      const events = await project.events().catch(() => [])
      const second = events.find(({ type, data }) => type === 'ask.started' && data.attempt === 2)
      if (second) return second.run!
      await sleep(50)
    }
  }

  it.each(['stop', 'SIGINT'] as const)(
    'by %s exits with 130; on resume the same ask gets the same line',
    { timeout: slow },
    async (way) => {
      const project = buildProject({ spec, lines })
      const first = start(['build', 'spec.json', '--json'], { cwd: project.folder })
      const run = await underWay(project)
      if (way === 'SIGINT') first.child.kill('SIGINT')
      else expectExit(await project.convene('stop', run), 0)
      const ended = await first.finished
      expect(ended.code, ended.stdout + ended.stderr).toBe(130)
      const report = JSON.parse(ended.stdout) as Report
      expect(report).toMatchObject({ run, status: 'stopped', commit: null })
      expect((await runsOf(project)).find(({ id }) => id === run)).toMatchObject({ kind: 'build', status: 'stopped' })

      project.release()
      const resumed: Built = await project.convene('resume', run)

      expectExit(resumed, 0)
      expect(resumed.report).toMatchObject({ run, status: 'done' })
      const tree = project.git('ls-tree', '--name-only', resumed.report.commit!).split('\n')
      expect(tree).toContain('first.txt')
      expect(tree).not.toContain('second.txt')
      const events = await project.events()
      const asks = ofType(events, 'ask.started').map(({ attempt }) => attempt)
      expect(asks).toEqual([1, 2, 1])
      expect(ofType(events, 'build.started')).toHaveLength(1)
      expect(project.git('worktree', 'list').split('\n')).toHaveLength(1)
      expectExit(await project.convene('resume', run), 0)
    },
  )
})
