/** Moving a local project into Postgres while work is unfinished, a process still has it, or the copy is wrong. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { PostgresDatabase } from '../../src/kernel/stores/postgres-database.ts'
import { lastJson, run, start } from '../support/convene.ts'
import { serve } from './serve.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'
import { log, team } from './team-project.ts'

let server: RunningPostgres

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server?.stop())

describe('convene migrate', () => {
  it('moves unfinished runs, which a worker elsewhere continues', async () => {
    const { folders } = team(server, 2)
    const [here, there] = folders as [string, string]
    const to = await server.createDatabase()
    const env = { CONVENE_DATABASE_URL: to }
    const asking = start(['ask', 'Think slowly', '--to', 'gpt'], { cwd: here })
    await expect.poll(async () => (await log(here, {})).map(({ type }) => type)).toContain('ask.started')
    asking.child.kill('SIGKILL')
    await asking.finished
    const migrated = await run(['migrate', '--to', to, '--json'], { cwd: here })
    expect([migrated.code, lastJson(migrated)]).toMatchObject([0, { unfinished: 1 }])
    const worker = start(['worker', '--json'], { cwd: there, env })
    await worker.says(/capacity/)
    await expect.poll(async () => (await log(there, env)).map(({ type }) => type)).toContain('run.finished')
    const events = await log(there, env)
    const count = (type: string) => events.filter((event) => event.type === type).length
    expect([count('message.posted'), count('reply.posted')]).toEqual([1, 1])
    expect((await log(here, {})).map(({ type }) => type)).not.toContain('reply.posted')
  })

  it('refuses a project that a process here still has, and copies nothing of it', async () => {
    const { folders } = team(server, 1)
    const here = folders[0]!
    const to = await server.createDatabase()
    const owner = await serve(here, {})
    const refused = await run(['migrate', '--to', to, '--json'], { cwd: here })
    expect([refused.code, lastJson(refused)]).toMatchObject([1, { error: { code: 'already_served' } }])
    owner.process.child.kill('SIGTERM')
    await owner.process.finished
    const migrated = await run(['migrate', '--to', to, '--json'], { cwd: here })
    expect([migrated.code, lastJson(migrated).error]).toEqual([0, undefined])
  })

  it('undoes a copy that differs from what is here', async () => {
    const { folders } = team(server, 1)
    const here = folders[0]!
    const to = await server.createDatabase()
    await run(['ask', 'Before the move', '--to', 'gpt'], { cwd: here })
    const client = await withTables(to)
    await client.query(`CREATE FUNCTION bend() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN NEW.actor := 'somebody else'; RETURN NEW; END $$`)
    await client.query('CREATE TRIGGER bent BEFORE INSERT ON convene.events FOR EACH ROW EXECUTE FUNCTION bend()')
    const wrong = await run(['migrate', '--to', to, '--json'], { cwd: here })
    expect([wrong.code, lastJson(wrong)]).toMatchObject([1, { error: { code: 'copy_differs' } }])
    await client.query('DROP TRIGGER bent ON convene.events')
    const right = await run(['migrate', '--to', to, '--json'], { cwd: here })
    expect([right.code, lastJson(right).runs]).toEqual([0, 1])
  })
})

/** Creates the tables that a migration would create. */
async function withTables(url: string): Promise<pg.Client> {
  const database = await PostgresDatabase.open({ url, project: 'another' })
  await database.close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}
