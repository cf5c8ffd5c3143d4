/** The issue loop around building: splitting, reviews, and a coordinator that analyses failures. */
import { describe, expect, it, vi } from 'vitest'
import { asked, expectExit, held, type Line, ofType } from '../build/project.ts'
import { run, start } from '../support/convene.ts'
import { built, grown, lineOf, reportOf, shipProject, states } from './project.ts'

const limit = { timeout: 300_000 }
const greenlight = ['greenlight', 'demo', '--issues', 'issues.json']

/** A part of an issue, built by one agent in one go: one file, with its own tests. */
function part(number: number, names: string[], test: string): Line {
  const name = names.at(-1)
  const line = built(1)
  return {
    ...line,
    when: { ask: 'implement', node: `demo-${number}` },
    files: {
      'src/f1.js': names.map((one) => `export const ${one} = (value) => value + 1\n`).join(''),
      [test]: `import assert from 'node:assert'\nimport { test } from 'node:test'\nimport { ${name} } from '../src/f1.js'\ntest('${name}', () => assert.equal(${name}(1), 2))\n`,
    },
  }
}

describe('an issue too large for one agent', () => {
  it(
    '[IS5] is split by rule when it is next: its parts carry its criteria, and it is done with them',
    limit,
    async () => {
      const lines = [
        part(1001, ['first'], 'test/f1.test.js'),
        part(1002, ['first', 'second'], 'test/f1_part2.test.js'),
        built(2),
      ]
      const project = shipProject(
        [
          { number: 1, criteria: 6 },
          { number: 2, depends_on: [1] },
          { number: 3, criteria: 13 },
        ],
        lines,
      )
      const greenlit = reportOf(await project.convene(...greenlight))
      // More than 12 criteria are always too many, so nobody is asked.
      expect(states(greenlit)).toEqual([
        [1, 'READY'],
        [2, 'READY'],
        [3, 'SPLIT'],
        [3001, 'READY'],
        [3002, 'READY'],
        [3003, 'READY'],
      ])
      expect(lineOf(greenlit, 3).reason).toContain('#3001')
      const ran = await project.convene('run', 'demo', '--issue', '1')
      expectExit(ran, 0)
      expect(lineOf(reportOf(ran), 1)).toMatchObject({ state: 'DONE', evidence: [{ kind: 'parts' }] })
      const events = await project.events()
      expect(asked(events)).toEqual([
        'implement demo-1001',
        'review-impl demo-1001',
        'summary demo-1001',
        'implement demo-1002',
        'review-impl demo-1002',
        'summary demo-1002',
      ])
      expect(ofType(events, 'issue.sized')).toEqual([
        { issue: 1, verdict: 'split', by: 'rule', reason: 'it has 6 acceptance criteria' },
      ])
      const parts = ofType(events, 'issue.split').find(({ issue }) => issue === 1)!.parts as {
        acceptance_criteria: { id: string }[]
        depends_on: number[]
      }[]
      expect(parts.map(({ acceptance_criteria }) => acceptance_criteria.map(({ id }) => id))).toEqual([
        ['c1-0', 'c1-1', 'c1-2'],
        ['c1-3', 'c1-4', 'c1-5'],
      ])
      expect(parts[1]!.depends_on).toEqual([1001])
      // Dependents of the whole issue depend on its last part, which is done.
      expectExit(await project.convene('run', 'demo', '--issue', '2'), 0)
    },
  )

  it('[IS5] with --smart is built whole if the coordinator says so', limit, async () => {
    const criteria = Array.from({ length: 6 }, (_, index) => `c1-${index}`)
    const project = shipProject(
      [{ number: 1, criteria: 6 }],
      [
        {
          when: { ask: 'select-issue', contains: 'has 6 acceptance criteria' },
          reply: { issue: 1, reason: 'they belong together' },
        },
        ...grown('demo-1', 'f1', criteria, { target: 'src/f1.js', test: 'test/f1.test.js' }),
      ],
    )
    expectExit(await project.convene(...greenlight), 0)
    const ran = await project.convene('run', 'demo', '--smart')
    expectExit(ran, 0)
    expect(states(reportOf(ran))).toEqual([[1, 'DONE']])
    const events = await project.events()
    expect(ofType(events, 'issue.sized')).toEqual([
      { issue: 1, verdict: 'whole', by: 'coordinator', reason: 'they belong together' },
    ])
    expect(asked(events)).toEqual([
      'select-issue demo-1',
      'scaffold demo-1',
      'write-tests demo-1',
      'implement demo-1',
      'review-impl demo-1',
    ])
  })
})

describe('finished work that waits for review', () => {
  it('holds back new work while the review queue is full, and continues once reviewed', limit, async () => {
    const project = shipProject(
      [{ number: 1 }, { number: 2 }, { number: 3 }, { number: 4 }],
      [built(1), built(2), built(3), built(4)],
      {
        config: { ship: { max_unreviewed: 1 } },
      },
    )
    // Issues that were not built here need no review.
    project.git('commit', '--quiet', '--allow-empty', '--message=feat(demo): Implement issue #4')
    expectExit(await project.convene(...greenlight), 0)
    const first = await project.convene('run', 'demo')
    expectExit(first, 3)
    expect(states(reportOf(first)).filter(([, state]) => state === 'DONE')).toEqual([
      [1, 'DONE'],
      [4, 'DONE'],
    ])
    expect(reportOf(first).reason).toBe('waiting for review: 1')
    expect(first.report.questions).toMatchObject([{ text: expect.stringContaining('waiting for review: 1') }])
    const status = reportOf(await project.convene('status', 'demo'))
    expect(status.reason).toBe('waiting for review: 1')
    expect(lineOf(status, 1).reviewed).toBe(false)
    expect(lineOf(status, 4).reviewed).toBeUndefined()

    const refused = await project.convene('status', 'demo', '--reviewed', '2')
    expectExit(refused, 2)
    expect(refused.report.error).toMatchObject({ code: 'not_done' })
    const marked = reportOf(await project.convene('status', 'demo', '--reviewed', '1'))
    expect(lineOf(marked, 1).reviewed).toBe(true)
    expect(marked.reason).toBeUndefined()
    const second = await project.convene('resume', first.report.run)
    expectExit(second, 3)
    expect(asked(await project.events()).filter((kind) => kind.startsWith('implement'))).toEqual([
      'implement demo-1',
      'implement demo-2',
    ])
    // The question accepts its choice or the numbers of finished issues.
    for (const words of ['looks fine', '9']) {
      const vague = await project.convene('answer', second.report.questions![0]!.id, words)
      expectExit(vague, 2)
      expect(vague.report.error).toMatchObject({ code: 'invalid_input', path: 'text' })
      expect(vague.report.error!.message).toContain('at least one of these numbers, or with: reviewed')
    }
    expect((await project.convene('questions')).report.questions).toHaveLength(1)
    expectExit(await project.convene('answer', second.report.questions![0]!.id, 'reviewed'), 0)
    const third = await project.convene('run', 'demo')
    expectExit(third, 0)
    expect(first.stderr).toContain('waiting for review')
    expect(third.stderr).not.toContain('waiting for review')
    expect(states(reportOf(third)).map(([, state]) => state)).toEqual(['DONE', 'DONE', 'DONE', 'DONE'])
    expect(ofType(await project.events(), 'issue.reviewed')).toEqual([{ issue: 1 }, { issue: 2 }])
  })

  it('resumes a served run after review', limit, async () => {
    const project = shipProject([{ number: 1 }, { number: 2 }], [built(1), built(2)], {
      config: { ship: { max_unreviewed: 1 } },
    })
    expectExit(await project.convene(...greenlight), 0)
    const server = start(['serve', '--port', '0'], { cwd: project.folder })
    await server.says(/http:\/\//)
    const waiting = await project.convene('run', 'demo')
    expectExit(waiting, 3)
    expectExit(await project.convene('status', 'demo', '--reviewed', 'all'), 0)
    // Only watch the run: a second `run` would start a new one if this one has already ended.
    const featureRuns = async () => {
      const { runs } = JSON.parse((await run(['runs', '--json'], { cwd: project.folder })).stdout)
      return (runs as { id: string; kind: string; status: string }[]).filter(({ kind }) => kind === 'feature.run')
    }
    await vi.waitFor(
      async () => expect(await featureRuns()).toMatchObject([{ id: waiting.report.run, status: 'done' }]),
      { timeout: 240_000, interval: 200 },
    )
    const done = await project.convene('resume', waiting.report.run)
    server.child.kill('SIGTERM')
    await server.finished
    expectExit(done, 0)
    expect(states(reportOf(await project.convene('status', 'demo')))).toEqual([
      [1, 'DONE'],
      [2, 'DONE'],
    ])
  })
})

describe('a run that is under way', () => {
  it('[IS1] picks up an issue that was unblocked meanwhile', limit, async () => {
    const lines = [built(1, 'value'), { ...built(2), ...held }, built(1)]
    const project = shipProject([{ number: 1 }, { number: 2 }], lines, { config: { ship: { retries: 0 } } })
    expectExit(await project.convene(...greenlight), 0)
    const running = start(['run', 'demo', '--json'], { cwd: project.folder })
    await vi.waitFor(
      async () => expect(lineOf(reportOf(await project.convene('status', 'demo')), 1).state).toBe('BLOCKED'),
      { timeout: 240_000, interval: 200 },
    )
    expectExit(await project.convene('unblock', 'demo', '--issue', '1'), 0)
    project.release()
    const ended = await running.finished
    expect(ended.code, ended.stderr).toBe(0)
    expect(states(reportOf(await project.convene('status', 'demo')))).toEqual([
      [1, 'DONE'],
      [2, 'DONE'],
    ])
  })
})

describe('a coordinator', () => {
  it(
    '[FA1] with --smart analyses each failure: another approach is recorded and reaches the next attempt',
    limit,
    async () => {
      const approach = 'Write it with a plus sign, APPROACH-MARK.'
      const project = shipProject(
        [{ number: 1 }, { number: 2 }],
        [
          {
            when: { ask: 'select-issue', contains: '- #2: Function f2; 1 criterion; size medium; risk 0' },
            reply: { issue: 2, reason: 'it is riskier' },
          },
          built(2, 'value'),
          {
            when: { ask: 'failure-analysis', node: 'demo-2', contains: 'Attempt 1 of 4' },
            reply: {
              diagnosis: 'implementation_bug',
              recommendation: 'modify',
              modified_approach: approach,
              reason: 'it adds nothing',
            },
          },
          { ...built(2), when: { ...built(2).when, contains: `The coordinator suggests: ${approach}` } },
          built(1, 'value'),
          {
            when: { ask: 'failure-analysis', node: 'demo-1', contains: 'Finished so far:\n- #2 Function f2' },
            reply: { diagnosis: 'blocked', recommendation: 'escalate', reason: 'nobody knows what one is' },
          },
        ],
        {
          config: {
            build: {
              max_parallel: 1,
              mutations: 0,
              test: `${JSON.stringify(process.execPath)} --test --test-isolation=none`,
            },
          },
        },
      )
      expectExit(await project.convene(...greenlight), 0)
      const ran = await project.convene('run', 'demo', '--smart')
      expectExit(ran, 1)
      expect(states(reportOf(ran))).toEqual([
        [1, 'MANUAL_REQUIRED'],
        [2, 'DONE'],
      ])
      expect(lineOf(reportOf(ran), 1).reason).toContain('nobody knows what one is')
      const events = await project.events()
      expect(ofType(events, 'order.chosen')).toMatchObject([{ issue: 2, by: 'coordinator', reason: 'it is riskier' }])
      expect(ofType(events, 'failure.analysed')).toMatchObject([
        { issue: 2, attempt: 1, by: 'coordinator', recommendation: 'modify', modified_approach: approach },
        { issue: 1, attempt: 1, by: 'coordinator', recommendation: 'escalate' },
      ])
      expect(ofType(events, 'retry.started')).toEqual([{ issue: 2, attempt: 2 }])
    },
  )

  it('[FA1] [IS2] an impossible order is not followed, and the issues it drops are SKIPPED', limit, async () => {
    const project = shipProject(
      [{ number: 1 }, { number: 2 }, { number: 3, depends_on: [1] }],
      [
        { when: { ask: 'select-issue' }, repeat: true, reply: { issue: 3, reason: 'the last first' } },
        built(1, 'value'),
        {
          when: { ask: 'failure-analysis', node: 'demo-1' },
          reply: { diagnosis: 'missing_dependency', recommendation: 'skip', reason: 'it needs another one' },
        },
        built(2),
      ],
      {
        config: {
          build: {
            max_parallel: 1,
            mutations: 0,
            test: `${JSON.stringify(process.execPath)} --test --test-isolation=none`,
          },
        },
      },
    )
    expectExit(await project.convene(...greenlight), 0)
    const ran = await project.convene('run', 'demo', '--smart')
    expectExit(ran, 1)
    expect(states(reportOf(ran))).toEqual([
      [1, 'SKIPPED'],
      [2, 'DONE'],
      [3, 'SKIPPED'],
    ])
    expect(lineOf(reportOf(ran), 3).reason).toContain('#1')
    const events = await project.events()
    expect(ofType(events, 'order.chosen')).toMatchObject([{ issue: 1, by: 'rule', rejected: [3] }])
    const unblocked = reportOf(await project.convene('unblock', 'demo', '--issue', '1'))
    expect(states(unblocked).map(([, state]) => state)).toEqual(['READY', 'DONE', 'READY'])
  })
})
