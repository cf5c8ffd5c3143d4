/** `convene mcp` as other AI tools start it: a process that speaks the protocol on stdin and stdout. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { rehearsalProject, temporaryFolder } from '../support/convene.ts'
import { callTool, overStdio } from './client.ts'

const project = rehearsalProject(`
- when: { ask: answer, agent: gpt }
  repeat: true
  text: Use a queue.
`)

it('asks a room, decides and shows the status for a client on stdio', async () => {
  const client = await overStdio(temporaryFolder(project))
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'convene_ask',
    'convene_plan',
    'convene_build',
    'convene_ship',
    'convene_status',
    'convene_questions',
    'convene_answer',
    'convene_stop',
    'convene_decide',
  ])
  const asked = await callTool(client, 'convene_ask', { text: 'Which queue?', to: ['gpt'] })
  expect(asked).toMatchObject({
    structuredContent: {
      room: expect.any(String),
      message_id: expect.any(String),
      replies: [{ agent: 'gpt', text: 'Use a queue.' }],
    },
  })
  expect((await callTool(client, 'convene_status')).structuredContent).toMatchObject({
    features: [],
    runs: [{ kind: 'room.answer', status: 'done' }],
  })
  const decided = await callTool(client, 'convene_decide', { rule: 'risk', input: { prompt: 'drop table users' } })
  expect(decided.structuredContent).toMatchObject({ flags: expect.any(Array) })
  expect(await callTool(client, 'convene_decide', { rule: 'risk', input: {} })).toMatchObject({
    isError: true,
    structuredContent: { code: 'invalid_input', path: 'prompt' },
  })
})

it('offers its tools before it loads what they do: a client may not wait for them', async () => {
  const script = join(import.meta.dirname, 'print-loaded-folders.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script])
  const { folders } = JSON.parse(stdout) as { folders: string[] }
  expect(folders).toEqual(['cli', 'kernel', 'mcp', 'room', 'rules', 'serve'])
})
