/** What commands do about work that a killed process left, through the command itself. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../src/kernel/events.ts'
import { run, start } from '../support/convene.ts'
import { serve } from './serve.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'
import { log, team } from './team-project.ts'

let server: RunningPostgres

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server?.stop())

describe('work of a killed process', () => {
  it('[TM1] is continued by a resume at once, although nobody else runs who could have declared the process dead', async () => {
    const { folders, env } = team(server, 2)
    const [here, there] = folders as [string, string]
    const asking = start(['ask', 'Think slowly', '--to', 'gpt', '--json'], { cwd: here, env })
    const asked = await untilAsked(there, env)
    asking.child.kill('SIGKILL')
    await asking.finished
    const resumed = await run(['resume', asked.run!, '--json'], { cwd: there, env })
    expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)])
    expect((await log(there, env)).filter(({ type }) => type === 'reply.posted')).toHaveLength(1)
  })

  it('[TR5] is not tried a third time where it killed its process twice; healthy runs of others are left alone', async () => {
    const { folders, env } = team(server, 3)
    const healthy = await serve(folders[0]!, env, '--no-work')
    const { id } = await healthy.call<{ id: string }>('POST', '/api/rooms', { name: 'deadly' })
    await healthy.call('POST', `/api/rooms/${id}/messages`, { text: 'Think for ever', target: 'gpt' })
    const types = async () => {
      const { events } = await healthy.call<{ events: StoredEvent[] }>('GET', '/api/events')
      return events.map(({ type }) => type)
    }
    const count = async (type: string) => (await types()).filter((one) => one === type).length
    for (const kills of [1, 2]) {
      const worker = start(['worker', '--json'], { cwd: folders[kills]!, env })
      await expect.poll(() => count('run.recovered')).toBe(kills)
      await expect.poll(() => types()).toContain('ask.started')
      worker.child.kill('SIGKILL')
      await worker.finished
    }
    start(['worker', '--json'], { cwd: folders[1]!, env })
    start(['worker', '--json'], { cwd: folders[2]!, env })
    await expect
      .poll(async () => (await healthy.call<{ questions: { text: string }[] }>('GET', '/api/questions')).questions)
      .toMatchObject([{ text: expect.stringContaining('crashed twice in a row') }])
    const other = await healthy.call<{ id: string }>('POST', '/api/rooms', { name: 'healthy' })
    await healthy.call('POST', `/api/rooms/${other.id}/messages`, { text: 'Who is well?', target: 'gpt' })
    await expect.poll(() => count('reply.posted')).toBe(1)
    expect(await count('run.parked')).toBe(1)
    expect(await count('question.asked')).toBe(1)
  })
})

async function untilAsked(cwd: string, env: Record<string, string>): Promise<StoredEvent> {
  let found: StoredEvent | undefined
  await expect
    .poll(async () => {
      found = (await log(cwd, env).catch(() => [])).find(({ type }) => type === 'ask.started')
      return found
    })
    .toBeDefined()
  return found!
}
