/** A project that several folders share through Postgres, as on several machines. */
import { expect } from 'vitest'
import type { StoredEvent } from '../../src/kernel/events.ts'
import { rehearsalProject, run, type Started, start, temporaryFolder } from '../support/convene.ts'
import type { RunningPostgres } from './start-postgres.ts'

let projects = 0

const script = `- when: { ask: answer, agent: gpt, contains: slowly }
  after_ms: 6000
  text: after a while
- when: { ask: answer, agent: gpt, contains: for ever }
  after_ms: 600000
  text: never seen
- when: { ask: answer, agent: gpt }
  text: it is shared
  repeat: true
`

export function team(
  server: RunningPostgres,
  size: number,
  more = '',
): { folders: string[]; env: Record<string, string> } {
  const files = rehearsalProject(script, `project: shared-${++projects}\n${more}`)
  const folders = Array.from({ length: size }, () => temporaryFolder(files))
  return { folders, env: { CONVENE_DATABASE_URL: server.url } }
}

export interface Serving {
  url: string
  process: Started
  call<Body>(method: string, path: string, body?: unknown): Promise<Body>
}

export async function serve(cwd: string, env: Record<string, string>, ...options: string[]): Promise<Serving> {
  const process = start(['serve', '--port', '0', '--json', ...options], { cwd, env })
  const { url, token } = JSON.parse((await process.says(/^\{.*\}$/m))[0]) as { url: string; token: string }
  return {
    url,
    process,
    async call(method, path, body) {
      const headers = {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'content-type': 'application/json',
      }
      const response = await fetch(url + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      expect([path, response.ok]).toEqual([path, true])
      return response.json()
    },
  }
}

export async function log(cwd: string, env: Record<string, string>): Promise<StoredEvent[]> {
  const { stdout } = await run(['events', '--json'], { cwd, env })
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as StoredEvent)
}
