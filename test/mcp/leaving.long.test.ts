/** A client that leaves in the middle of a call. Not the SDK's client: that one kills a slow server. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { command, rehearsalProject, run, temporaryFolder, withoutKeys } from '../support/convene.ts'

it('has what it waited for stopped', async () => {
  const never = '- when: { ask: answer }\n  after_ms: 3600000\n  text: never\n'
  const folder = temporaryFolder(rehearsalProject(never, 'retry: { silence_seconds: 3600 }\n'))
  const child = spawn(command, ['mcp'], { cwd: folder, env: withoutKeys(process.env) })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const clientInfo = { name: 'test', version: '1' }
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, method } = JSON.parse(line) as { id?: number; method?: string }
    if (id === 1) {
      send({ method: 'notifications/initialized' })
      const call = { name: 'convene_ask', arguments: { text: 'hi', to: ['gpt'] }, _meta: { progressToken: 1 } }
      send({ id: 2, method: 'tools/call', params: call })
    }
    // The agent is being asked.
    if (method === 'notifications/progress') break
  }
  child.stdin.end()
  expect(await ended).toBe(0)
  const { stdout } = await run(['events', '--json'], { cwd: folder })
  const types = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { type: string }).type)
  expect(types).toContain('run.stop-requested')
  expect(types.at(-1)).toBe('run.finished')
})
