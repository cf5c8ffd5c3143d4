import type { StoredEvent } from '../../src/kernel/events.ts'
import { rehearsalProject, run, temporaryFolder } from '../support/convene.ts'
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

export async function log(cwd: string, env: Record<string, string>): Promise<StoredEvent[]> {
  const { stdout } = await run(['events', '--json'], { cwd, env })
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as StoredEvent)
}
