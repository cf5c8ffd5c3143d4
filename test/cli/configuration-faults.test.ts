/** Faults that only a person can fix: every floor says how, a run waits for it with exit code 2, and no attempt is spent. */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listen } from '../agents/emulator.ts'
import { buildProject, expectExit, honest, ofType, type Project, specOf } from '../build/project.ts'
import { lastJson, temporaryFolder } from '../support/convene.ts'
import { runResident } from '../support/resident-command.ts'

const refusals: Record<string, { status: number; error: unknown }> = {
  unknown: { status: 404, error: { message: 'The model `unknown` does not exist', code: 'model_not_found' } },
  forbidden: { status: 403, error: { message: 'no access' } },
  'wrong-key': { status: 401, error: { message: 'Incorrect API key provided' } },
}
const provider = createServer(async (request, response) => {
  const { model } = JSON.parse(await text(request)) as { model: string }
  const { status, error } = refusals[model]!
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
})
let address = ''
beforeAll(async () => {
  address = await listen(provider)
})
afterAll(() => void provider.close())

const spec = specOf('inc')
const good = honest(spec)
const lines = [good.scaffold, good.tests, good.code, good.review]
const model = (name: string) => ({
  provider: 'openai-compatible',
  model: name,
  base_url: `${address}/v1`,
  api_key_env: 'CODER_KEY',
})
const rehearsed = { provider: 'rehearsal', script: '../script.yaml' }

function projectWith(agents: Record<string, unknown>, more: object = {}): Project {
  return buildProject({
    spec,
    lines,
    config: { agents, roles: { impl: 'coder', tdd: 'tester', scaffold: 'tester' } },
    ...more,
  })
}

describe('a configuration fault', () => {
  it('[AS3] parks a build with exit code 2 and what fixes it, spends no attempt, and resume goes on', {
    timeout: 120_000,
  }, async () => {
    const project = projectWith({ coder: model('unknown'), tester: rehearsed })
    const parked = await project.build('--strategy', 'graph')
    expectExit(parked, 2)
    expect(parked.report.reason).toBe('agent "coder" (unknown) has no API key: set the environment variable CODER_KEY')
    const before = await project.events()
    expect(ofType(before, 'reply.refused')).toEqual([])

    const refused = await runResident(['resume', parked.report.run, '--json'], {
      cwd: project.folder,
      env: { CODER_KEY: 'sk-any' },
    })
    expect(refused.code).toBe(2)
    expect(lastJson<{ reason: string }>(refused).reason).toMatch(/404.*does not exist.*agents\.coder\.model/)

    project.write({
      'convene.yaml': JSON.stringify({
        agents: { coder: rehearsed, tester: rehearsed },
        roles: { impl: 'coder', tdd: 'tester', scaffold: 'tester' },
        build: { test: JSON.parse(project.read('HEAD', 'convene.yaml')).build.test, worktrees: project.worktrees },
      }),
    })
    const done = await project.convene('resume', parked.report.run)
    expectExit(done, 0)
    const events = await project.events()
    expect(ofType(events, 'reply.refused')).toEqual([])
    const implemented = ofType(events, 'ask.finished').filter(({ kind }) => kind === 'implement')
    expect(implemented.map(({ attempt, exit }) => [attempt, exit])).toEqual([[1, 'TestsPassed']])
  })

  it('[AS3] parks a build whose agent cannot be reached, and spends no attempt of it', {
    timeout: 60_000,
  }, async () => {
    const nowhere = { ...model('any'), base_url: 'http://127.0.0.1:1/v1' }
    const config = {
      agents: { coder: nowhere, tester: rehearsed },
      roles: { impl: 'coder', tdd: 'tester', scaffold: 'tester' },
      retry: { first_wait_ms: 1 },
    }
    const project = buildProject({ spec, lines, config })
    const parked = await runResident(['build', 'spec.json', '--strategy', 'graph', '--json'], {
      cwd: project.folder,
      env: { CODER_KEY: 'sk-any' },
    })
    expect(parked.code, parked.stderr).toBe(2)
    expect(lastJson<{ reason: string }>(parked).reason).toMatch(
      /cannot be reached at http:\/\/127\.0\.0\.1:1\/v1.*start it/,
    )
    expect(ofType(await project.events(), 'reply.refused')).toEqual([])
  })

  it('[AS3] of the set-up command parks the build and names the program', { timeout: 60_000 }, async () => {
    const project = projectWith({ coder: rehearsed, tester: rehearsed }, { build: { setup: 'no-such-program --now' } })
    const parked = await project.build()
    expectExit(parked, 2)
    expect(parked.report.reason).toMatch(/build\.setup.*could not find no-such-program.*convene\.yaml/)
    expect(ofType(await project.events(), 'ask.started')).toEqual([])
  })

  it('[AS3] of the test command parks the build, spends no attempt, and resume goes on', async () => {
    const runner = join(temporaryFolder(), 'my-runner')
    const project = projectWith({ coder: rehearsed, tester: rehearsed }, { build: { test: runner } })
    const parked = await project.build('--strategy', 'graph')
    expectExit(parked, 2)
    expect(parked.report.reason).toMatch(/build\.test: .*could not find .*my-runner.*convene\.yaml/)
    expect(ofType(await project.events(), 'reply.refused')).toEqual([])
    writeFileSync(runner, '#!/bin/sh\nexec node --test "$@"\n', { mode: 0o755 })
    expectExit(await project.convene('resume', parked.report.run), 0)
    expect(ofType(await project.events(), 'reply.refused')).toEqual([])
  })

  it('[AS3] parks a plan with exit code 2', { timeout: 60_000 }, async () => {
    const project = projectWith({ coder: model('forbidden'), tester: model('wrong-key') })
    const parked = await runResident(['plan', 'Count the words of a file', '--yes', '--json'], {
      cwd: project.folder,
      env: { CODER_KEY: 'sk-any' },
    })
    expect(parked.code, parked.stderr).toBe(2)
    expect(lastJson<{ reason: string }>(parked).reason).toMatch(/refused by .* \((401|403)\)/)
  })

  it('[AS3] [RD8] is shown in a room, where the other agents still answer; alone it ends with 2', async () => {
    const project = projectWith(
      { coder: model('wrong-key'), tester: rehearsed },
      {
        lines: [
          { when: { ask: 'micro-proposal' }, reply: { angle: 'all of it', confidence: 0.9, covers: [] } },
          { when: { ask: 'answer' }, text: 'Here I am.' },
        ] as never,
      },
    )
    const cwd = project.folder
    const env = { CODER_KEY: 'sk-any' }
    const answered = await runResident(['ask', 'Is anybody there?'], { cwd, env })
    expect([answered.code, answered.stdout], answered.stderr).toEqual([0, expect.stringContaining('Here I am.')])
    const alone = await runResident(['ask', 'And you?', '--to', 'coder', '--json'], { cwd, env })
    expect(alone.code).toBe(2)
    expect(alone.stdout).toContain('set CODER_KEY to a valid key')
  })
})
