/** Greenlight, run and build refuse up front what they could not finish, before any agent is paid for. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { asked, expectExit, type Project } from '../build/project.ts'
import { built, lineOf, reportOf, shipProject, states } from './project.ts'

const limit = { timeout: 300_000 }
const greenlight = ['greenlight', 'demo', '--issues', 'issues.json']

const issueOf = (number: number, more: object = {}) => ({
  number,
  title: `Issue ${number}`,
  acceptance_criteria: [{ id: `c${number}`, text: 'it works' }],
  ...more,
})
const criteria = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `k${index}`, text: 'it works' }))

async function refusal(project: Project, issues: object[], code = 'invalid_issues') {
  project.write({ 'issues.json': JSON.stringify({ feature: 'demo', issues }) })
  const refused = await project.convene(...greenlight)
  expectExit(refused, 2)
  expect(refused.report.error?.code).toBe(code)
  return refused.report.error
}

describe('an issue list', () => {
  it('[IS5] may not reuse the number of a part, but may list the part unchanged', limit, async () => {
    const project = shipProject([], [])
    const whole = issueOf(1, { acceptance_criteria: criteria(13) })
    const put = async (...issues: object[]) => {
      project.write({ 'issues.json': JSON.stringify({ feature: 'demo', issues }) })
      const greenlit = await project.convene(...greenlight)
      expectExit(greenlit, 0)
      return reportOf(greenlit)
    }
    const split = await put(whole)
    expect(states(split).map(([number]) => number)).toEqual([1, 1001, 1002, 1003])
    const error = await refusal(project, [whole, issueOf(1001)])
    expect(error).toMatchObject({
      path: 'issues.1.number',
      message: expect.stringContaining('part of #1'),
    })
    const status = reportOf(await project.convene('status', 'demo'))
    expect(lineOf(status, 1001).title).toBe('Issue 1 (part 1)')

    const part = {
      number: 1001,
      title: 'Issue 1 (part 1)',
      body: 'Part 1 of #1.',
      acceptance_criteria: criteria(13).slice(0, 5),
    }
    expect(states(await put(part, whole))).toEqual(states(split))
    expect(states(await put(whole, issueOf(2)))).toHaveLength(5)
  })

  it('[IS5] gives distinct numbers to the parts of two issues split at once', limit, async () => {
    const project = shipProject([], [])
    const issues = [1, 1001].map((number) => issueOf(number, { acceptance_criteria: criteria(13) }))
    project.write({ 'issues.json': JSON.stringify({ feature: 'demo', issues }) })
    const greenlit = await project.convene(...greenlight)
    expectExit(greenlit, 0)
    const parts = states(reportOf(greenlit)).filter(([, state]) => state === 'READY')
    expect(parts.map(([number]) => number)).toEqual([1001001, 1001002, 1001003, 2001001, 2001002, 2001003])
  })

  it('[IS5] rejects an issue number too high to number its parts', limit, async () => {
    const project = shipProject([], [])
    const high = issueOf(Number.MAX_SAFE_INTEGER, { acceptance_criteria: criteria(13) })
    expect(await refusal(project, [issueOf(2), high])).toMatchObject({
      path: 'issues.1.number',
      expected: 'a number up to 1000000000',
    })
  })

  it('[IS4] rejects two issues with one forge number, in the list or among known issues', limit, async () => {
    const project = shipProject([{ number: 1, github: 7 }, { number: 2 }], [])
    expectExit(await project.convene(...greenlight), 0)
    expectExit(await project.convene(...greenlight), 0)
    const twice = await refusal(project, [issueOf(3, { github: 8 }), issueOf(4, { github: 8 })])
    expect(twice).toMatchObject({ path: 'issues.1.github', message: expect.stringContaining('#3') })
    const known = await refusal(project, [issueOf(3, { github: 7 })])
    expect(known).toMatchObject({ path: 'issues.0.github', message: expect.stringContaining('#1') })
    // Swapping the two forge numbers is allowed.
    project.write({
      'issues.json': JSON.stringify({
        feature: 'demo',
        issues: [issueOf(2, { github: 7 }), issueOf(1, { github: 8 })],
      }),
    })
    expectExit(await project.convene(...greenlight), 0)
  })
})

describe('a branch whose name blocks ours', () => {
  it('[IS4] is named at greenlight, run and build before any agent is asked', limit, async () => {
    const project = shipProject([{ number: 1 }], [built(1)])
    const { git } = project
    const inTheWay = async (branch: string, ...command: string[]) => {
      const refused = await project.convene(...command)
      expectExit(refused, 2)
      const rename = `git branch -m ${branch} old-${branch.replaceAll('/', '-')}`
      expect(refused.report.error).toMatchObject({ code: 'branch_in_the_way', expected: rename })
      execute(rename)
    }
    const execute = (command: string) => git(...command.split(' ').slice(1))
    git('branch', 'convene')
    await inTheWay('convene', ...greenlight)
    git('branch', 'convene/demo')
    await inTheWay('convene/demo', ...greenlight)
    expectExit(await project.convene(...greenlight), 0)
    git('branch', 'convene/demo/main/mine')
    await inTheWay('convene/demo/main/mine', 'run', 'demo')
    git('branch', 'convene/unused')
    await inTheWay('convene/unused', 'build', 'spec.json')
    expect(asked(await project.events())).toEqual([])
    expectExit(await project.convene('run', 'demo'), 0)
  })
})

describe('a feature name', () => {
  it('is rejected by every command if it cannot name a branch', limit, async () => {
    const project = shipProject([{ number: 1 }], [])
    const commands = [
      ['greenlight', '.', '--issues', 'issues.json'],
      ['status', '..'],
      ['run', '..'],
      ['unblock', '.', '--issue', '1'],
    ]
    for (const command of commands) {
      const refused = await project.convene(...command)
      expectExit(refused, 2)
      expect(refused.report.error).toMatchObject({
        path: 'feature',
        message: `feature: '${command[1]}' cannot name a branch`,
      })
    }
    expect(existsSync(join(project.folder, '.convene/convene.db'))).toBe(false)
  })

  it('is the same in composed and decomposed Unicode', limit, async () => {
    const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301']
    const issues = JSON.stringify({ feature: decomposed, issues: [issueOf(1)] })
    const project = shipProject([], [], { files: { 'accents.json': issues } })
    for (const name of [composed, decomposed]) {
      const greenlit = await project.convene('greenlight', name, '--issues', 'accents.json')
      expectExit(greenlit, 0)
      expect(reportOf(greenlit).feature).toBe(composed)
    }
    const listed = (await project.convene('status')).report as unknown as { features: { feature: string }[] }
    expect(listed.features.map(({ feature }) => feature)).toEqual([composed])
  })
})
