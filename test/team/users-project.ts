/** A Postgres and rehearsal projects for the tests of users: each project has a name of its own. */
import { afterAll, beforeAll } from 'vitest'
import { rehearsalProject } from '../support/convene.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'

let server: RunningPostgres
let projects = 0

/** Call it once, at the top of a test file. */
export function usePostgres(): void {
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.stop())
}

export const files = () =>
  rehearsalProject(
    `- when: { ask: answer }
  text: here is my answer
  stream_ms: 200
  repeat: true
`,
    `project: users-${++projects}\n`,
  )

export const env = () => ({ CONVENE_DATABASE_URL: server.url })
