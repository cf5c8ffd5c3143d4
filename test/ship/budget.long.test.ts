/**
 * One budget for a whole tree: no call exceeds it, finished work stays, the report lists what is left, and raising it
 * resumes the run.
 */
import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sendEvents } from '../agents/canned-server.ts'
import { listen } from '../agents/emulator.ts'
import { actingModel } from '../build/acting-model.ts'
import type { Built, Project } from '../build/project.ts'
import { approved, asked, expectExit, ofType } from '../build/project.ts'
import { states } from './project.ts'
import { builtLine, filesOf, passed, shellProject } from './shell-issues.ts'

const slow = 300_000

interface Spent {
  run: string
  status: string
  reason?: string
  left?: number[]
  error?: { code: string; message: string }
  issues: { number: number; state: string }[]
}

const spentOf = ({ report }: Built) => report as unknown as Spent
const numbers = (count: number) => Array.from({ length: count }, (_, index) => ({ number: index + 1 }))
const done = (report: Spent) => report.issues.filter(({ state }) => state === 'DONE').map(({ number }) => number)

async function greenlit(project: Project): Promise<void> {
  expectExit(await project.convene('greenlight', 'demo', '--issues', 'issues.json'), 0)
}

async function finishedOnce(project: Project): Promise<void> {
  const finished = ofType(await project.events(), 'ask.finished').map(({ ask }) => ask)
  expect(new Set(finished).size).toBe(finished.length)
}

describe('a feature with parallel issues', () => {
  it('[BU1] stops at its call limit, keeps finished work, lists what is left, and resumes with a larger budget', {
    timeout: slow,
  }, async () => {
    const issues = numbers(10)
    const project = shellProject(issues, { config: { budget: { calls: 12 } } })
    await greenlit(project)

    const first = await project.convene('run', 'demo')

    expectExit(first, 1)
    const report = spentOf(first)
    expect(report).toMatchObject({ status: 'failed', reason: 'budget_exhausted' })
    const events = await project.events()
    expect(ofType(events, 'ask.started')).toHaveLength(12)
    expect(ofType(events, 'ask.finished')).toHaveLength(12)
    expect(ofType(events, 'budget.exhausted')).toEqual([expect.objectContaining({ limit: 'calls' })])
    // The issues that were reviewed in time are merged; without a call left, their summaries are written by rule.
    const reviewed = asked(events).filter((one) => one.startsWith('review-impl')).length
    expect(reviewed).toBeGreaterThan(0)
    expect(done(report)).toHaveLength(reviewed)
    expect(project.git('log', '--format=%s', 'main..convene/demo/main').split('\n')).toHaveLength(reviewed)
    const left = issues.map(({ number }) => number).filter((number) => !done(report).includes(number))
    expect(report.left).toEqual(left)
    for (const number of left) expect(report.error!.message).toContain(`#${number} Function f${number} (`)
    expect(report.error!.message).toContain(`convene resume ${report.run}`)
    expect(project.git('worktree', 'list').split('\n')).toHaveLength(1)

    // With the same budget, resuming asks nothing more.
    const again = await project.convene('resume', report.run)
    expectExit(again, 1)
    expect(spentOf(again)).toMatchObject({ reason: 'budget_exhausted', left })
    expect(ofType(await project.events(), 'ask.started')).toHaveLength(12)

    project.configure({ budget: { calls: 100 } })
    const resumed = await project.convene('resume', report.run)
    expectExit(resumed, 0)
    expect(states(resumed.report)).toEqual(issues.map(({ number }) => [number, 'DONE']))
    expect(asked(await project.events()).filter((one) => one.startsWith('implement'))).toHaveLength(10)
    await finishedOnce(project)
    expect(project.git('log', '--format=%s', 'main..convene/demo/main').split('\n')).toHaveLength(10)
  })

  it('[BU1] never exceeds its token budget, however many agents are asked at once', { timeout: slow }, async () => {
    const tokens = 2700
    const issues = numbers(6)
    const project = shellProject(issues, { config: { budget: { tokens, calls: null } } })
    await greenlit(project)
    const first = await project.convene('run', 'demo')
    expectExit(first, 1)
    expect(spentOf(first)).toMatchObject({ reason: 'budget_exhausted' })
    const used = ofType(await project.events(), 'ask.finished').map(({ usage }) => {
      const { inputTokens, outputTokens } = usage as { inputTokens: number; outputTokens: number }
      return inputTokens + outputTokens
    })
    expect(used.length).toBeGreaterThan(0)
    expect(used.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(tokens)
    project.configure({ budget: { tokens: 1_000_000 } })
    expectExit(await project.convene('resume', spentOf(first).run), 0)
    await finishedOnce(project)
  })

  it('[BU1] exits with 124 when out of minutes, and resumes with more', { timeout: slow }, async () => {
    const project = shellProject([{ number: 1 }, { number: 2, depends_on: [1] }], {
      lines: [builtLine(1, { after_ms: 10_000 }), builtLine(2)],
      config: { budget: { minutes: 0.15 } },
    })
    await greenlit(project)
    const first = await project.convene('run', 'demo')
    expectExit(first, 124)
    expect(spentOf(first)).toMatchObject({ status: 'failed', reason: 'out_of_time', left: [1, 2] })
    project.configure({ budget: { minutes: 10 } })
    expectExit(await project.convene('resume', spentOf(first).run), 0)
    await finishedOnce(project)
  })
})

describe('models with a price', () => {
  const price = { input: 10, output: 10 }

  it('[BU1] a tool loop that would exceed the limit stops between two requests, and its usage counts', {
    timeout: slow,
  }, async () => {
    const { url, requests } = await endlessModel()
    const project = shellProject([{ number: 1 }], {
      config: {
        agents: { coder: { provider: 'openai-compatible', model: 'm', base_url: url, price, retries: 0 } },
        budget: { usd: 0.5 },
      },
    })
    await greenlit(project)
    const first = await project.convene('run', 'demo')
    expectExit(first, 1)
    expect(spentOf(first)).toMatchObject({ reason: 'budget_exhausted', left: [1] })
    // Each request costs ten cents.
    expect(requests.count).toBe(5)
    const [interrupted] = ofType(await project.events(), 'ask.interrupted')
    expect((interrupted!.usage as { usd: number }).usd).toBeCloseTo(0.5, 5)
    // The usage was recorded, so there is no budget for another attempt.
    expectExit(await project.convene('resume', spentOf(first).run), 1)
    expect(requests.count).toBe(5)
  })

  it('[BU1] parallel issues share one budget: a reservation for one is unavailable to the others', {
    timeout: slow,
  }, async () => {
    const model = await actingModel(({ kind, prompt }) => {
      if (kind === 'review-impl') return { reply: approved }
      const number = Number(/the function f(\d+) is there/.exec(prompt)![1])
      const writes = Object.entries(filesOf(number)).map(
        ([path, text]) => `mkdir -p ${path.split('/')[0]} && printf %s ${quoted(text)} > ${path}`,
      )
      return { command: writes.join(' && '), reply: passed }
    })
    const project = shellProject(numbers(4), {
      config: {
        agents: { coder: { provider: 'openai-compatible', model: 'm', base_url: model.url, price, retries: 0 } },
        // Enough for one estimate at a time; the actual cost of each is far lower.
        budget: { usd: 0.026 },
        coordination: { generate_summaries: false },
      },
    })
    await greenlit(project)
    const ran = await project.convene('run', 'demo')
    expectExit(ran, 0)
    expect(model.mostAtOnce).toBe(1)
    expect(states(ran.report)).toEqual(numbers(4).map(({ number }) => [number, 'DONE']))
  })
})

describe('a ship', () => {
  it('[BU1] reports a budget that runs out during its plan, and finishes with a larger one', {
    timeout: slow,
  }, async () => {
    const project = shellProject([{ number: 1 }, { number: 2 }], { config: { budget: { calls: 3 } } })
    const first = await project.convene('ship', 'Add two functions', '--mode', 'rapid', '--yes', '--merge')
    expectExit(first, 1)
    const report = spentOf(first)
    expect(report).toMatchObject({ status: 'failed', reason: 'budget_exhausted', left: [] })
    expect(report.error!.message).toContain('the plan is not finished')
    expect(ofType(await project.events(), 'ask.started')).toHaveLength(3)
    project.configure({ budget: { calls: 100 } })
    const resumed = await project.convene('resume', report.run)
    expectExit(resumed, 0)
    expect(states(resumed.report)).toEqual([
      [1, 'DONE'],
      [2, 'DONE'],
    ])
    expect(resumed.report).toMatchObject({ merged: true })
    await finishedOnce(project)
  })
})

/** Calls tools forever; each reply reports ten thousand tokens. */
async function endlessModel(): Promise<{ url: string; requests: { count: number } }> {
  const requests = { count: 0 }
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const id = `call_${++requests.count}`
      const call = { index: 0, id, type: 'function', function: { name: 'list', arguments: '{}' } }
      sendEvents(response, [
        { id, choices: [{ index: 0, delta: { role: 'assistant', tool_calls: [call] } }] },
        { id, choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
        { id, choices: [], usage: { prompt_tokens: 9000, completion_tokens: 1000, total_tokens: 10_000 } },
        '[DONE]',
      ])
    })
  })
  const address = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `${address}/v1`, requests }
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
