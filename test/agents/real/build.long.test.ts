/** The four real coding agents in builds, each with an emulated model on loopback, through the command. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BuildView } from '../../../src/build/view.ts'
import type { RunOverview } from '../../../src/runs/overview.ts'
import { approved, code, expectExit, honest, ofType, type Report, specOf, testFile } from '../../build/project.ts'
import { lastJson, start } from '../../support/convene.ts'
import { processesWith } from '../../support/processes.ts'
import { serve } from '../../support/server.ts'
import { clis, type RealCli } from './clis.ts'
import { ending, homes, patience, reading, realProject, reason, writing } from './project.ts'
import { expectLoopbackAlone, traced } from './traced.ts'

const passed = { TestsPassed: { iterations: 1, passedTests: [] } }
const testText = testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2); assert.equal(inc(5), 6)' })

describe.skipIf(reason !== undefined)(reason ? `builds by real agents (${reason})` : 'builds by real agents', () => {
  it.each(clis)(
    '[AG2] [VF4] $agent goes on after kill -9 of Convene, is refused what lies outside, lies and is told, reaches loopback alone, and is merged',
    patience,
    async (cli) => {
      const { project, minds, homes: places } = await realProject({ coder: cli })
      // Codex may write below /tmp, where the project is.
      const outside = join(homes, `${cli.agent}-outside.txt`)
      // It says that its tests pass, and they do not.
      const work = [
        writing(cli, 'src/inc.js', code('inc', 'value')),
        { ...writing(cli, 'test/inc.test.js', testText), holdsOnce: true as const },
        ...ending(passed),
      ]
      const forbidden = cli.forbidden(outside).map((call) => ({ tool: call.name, arguments: () => call.arguments }))
      minds.coder!.tasks.push(
        { about: '# Build inc', steps: [...work.slice(0, 2), ...forbidden, ...work.slice(2)] },
        // A refusal ends the turn of some agents; the next attempt does without.
        { about: 'after it was refused', steps: work },
        { about: 'the tests do not pass', steps: [writing(cli, 'src/inc.js', code('inc')), ...ending(passed)] },
      )
      const building = start(['build', 'spec.json', '--strategy', 'solo', '--merge', '--json'], { cwd: project.folder })
      await expect.poll(() => minds.coder!.held, { timeout: 240_000 }).toBe(1)
      building.child.kill('SIGKILL')
      await building.finished
      await expect.poll(() => processesWith('HOME', places.coder!)).toEqual([])

      const [begun] = ofType(await project.events(), 'ask.started')
      const built = await traced(['resume', String(begun!.ask).split('/')[0]!, '--json'], project.folder)
      const report = lastJson<Report>(built)
      expectExit({ ...built, report }, 0)
      expect(report).toMatchObject({ merged: true })
      expectLoopbackAlone(built)
      expect(project.read('main', 'src/inc.js')).toContain('value + 1')
      expect(existsSync(outside)).toBe(false)
      const events = await project.events()
      expect(ofType(events, 'permission.resolved')).toContainEqual(expect.objectContaining({ decision: 'deny' }))
      const refused = ofType(events, 'reply.refused').flatMap(({ problems }) => problems as { rule: string }[])
      expect(refused.map(({ rule }) => rule)).toContain('VF4')
      expect(ofType(events, 'tool.used').length).toBeGreaterThan(1)
      await expect.poll(() => processesWith('HOME', places.coder!)).toEqual([])
    },
  )

  it('three vendors build together: one writes the tests, one the code, one reviews', patience, async () => {
    const [claude, codex, gemini] = clis as readonly [RealCli, RealCli, RealCli]
    const roles = { scaffold: 'claude', tdd: 'claude', impl: 'codex', reviewer: 'gemini' }
    const { project, minds, homes: places } = await realProject({ claude, codex, gemini }, { config: { roles } })
    const { scaffold, tests } = honest(specOf('inc'))
    minds.claude!.tasks.push(
      { about: '# Scaffold inc', steps: [...filling(claude, scaffold.files), ...ending(scaffold.reply)] },
      { about: '# Write the tests of inc', steps: [...filling(claude, tests.files), ...ending(tests.reply)] },
    )
    minds.codex!.tasks.push({
      about: '# Implement inc',
      steps: [writing(codex, 'src/inc.js', code('inc')), ...ending(passed)],
    })
    minds.gemini!.tasks.push({
      about: '# Review the implementation of inc',
      steps: [reading(gemini, 'src/inc.js'), ...ending(approved)],
    })
    const built = await traced(['build', 'spec.json', '--strategy', 'graph', '--merge', '--json'], project.folder)
    const report = lastJson<Report>(built)
    expectExit({ ...built, report }, 0)
    expect(report).toMatchObject({ merged: true })
    expectLoopbackAlone(built)
    for (const home of Object.values(places)) await expect.poll(() => processesWith('HOME', home)).toEqual([])
    const asks = ofType(await project.events(), 'ask.finished').map(({ agent, kind }) => `${agent} ${kind}`)
    expect(asks).toEqual(['claude scaffold', 'claude write-tests', 'codex implement', 'gemini review-impl'])

    const served = await serve({}, { folder: project.folder })
    const { body } = await served.call('GET', `/api/runs/${report.run}/overview`)
    const lanes = (body as RunOverview).lanes.filter(({ kind }) => kind === 'ask')
    expect(lanes.map(({ agent, spans }) => [agent, spans.length])).toEqual([
      ['claude', 2],
      ['codex', 1],
      ['gemini', 1],
    ])
    const { body: seen } = await served.call('GET', `/api/builds/${report.run}`)
    const asked = (seen as BuildView).nodes.flatMap((node) => node.asks)
    expect(asked.filter(({ tools }) => tools.length > 0).map(({ agent }) => agent)).toEqual([
      'claude',
      'claude',
      'codex',
      'gemini',
    ])
  })
})

const filling = (cli: RealCli, files: Record<string, string>) =>
  Object.entries(files).map(([path, content]) => writing(cli, path, content))
