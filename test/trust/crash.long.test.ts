/** TR5 through the server: a step that was in flight at two crashes in a row is asked about, not tried a third time. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rehearsalProject, start, temporaryFolder } from '../support/convene.ts'

interface Question {
  id: string
  run: string
  text: string
  choices: string[]
}

it('[TR5] a run that crashed the server twice at one step waits for a person, and goes on after retry', async () => {
  const folder = temporaryFolder(rehearsalProject("- when: { ask: answer }\n  text: 'Here I am.'\n  after_file: go\n"))
  const serve = async () => {
    const server = start(['serve', '--port', '0', '--json'], { cwd: folder, env: { CONVENE_TOKEN: 't' } })
    const [, url] = await server.says(/"url":"([^"]+)"/)
    const call = async (method: string, path: string, body?: unknown) => {
      const headers = { authorization: 'Bearer t', accept: 'application/json', 'content-type': 'application/json' }
      const response = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
      return (await response.json()) as Record<string, never[] & string>
    }
    const events = async (type: string) =>
      ((await call('GET', '/api/events?after=0')).events as { type: string }[]).filter((event) => event.type === type)
    const crash = async () => {
      server.child.kill('SIGKILL')
      await server.finished
    }
    return { call, events, crash }
  }
  const first = await serve()
  const { id } = await first.call('POST', '/api/rooms', { name: 'r' })
  await first.call('POST', `/api/rooms/${id}/messages`, { text: 'Hello', target: 'gpt' })
  await expect.poll(async () => (await first.events('ask.started')).length).toBe(1)
  await first.crash()

  const second = await serve()
  await expect.poll(async () => (await second.events('run.recovered')).length).toBeGreaterThan(0)
  expect((await second.call('GET', '/api/questions')).questions).toEqual([])
  await second.crash()

  const third = await serve()
  const [question] = (await third.call('GET', '/api/questions')).questions as Question[]
  expect(question).toMatchObject({ choices: ['retry', 'give up'], text: expect.stringContaining('crashed twice') })
  writeFileSync(join(folder, 'go'), '')
  await third.call('POST', `/api/questions/${encodeURIComponent(question!.id)}/answer`, { choice: 'retry' })
  await expect.poll(async () => (await third.events('reply.posted')).length).toBe(1)
  expect((await third.call('GET', '/api/questions')).questions).toEqual([])
})
