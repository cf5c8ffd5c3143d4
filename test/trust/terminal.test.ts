/** Text of models, files and configurations on a terminal: it is read, and steers nothing. */
import { createServer } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { listen } from '../agents/emulator.ts'
import { temporaryFolder } from '../support/convene.ts'
import { runResident } from '../support/resident-command.ts'

/** Sets the title, clears the screen, colours what follows, and turns around the order of what is read. */
const steering = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e'
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not arrive.
const steers = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

it('[TR4] a model’s error, an event and a file’s name steer no terminal', async () => {
  const server = createServer((request, response) => {
    request.resume()
    const error = { message: `bad ${steering}key`, code: steering }
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
  })
  const url = await listen(server)
  onTestFinished(() => void server.close())
  const agent = { provider: 'openai-compatible', model: 'm', base_url: `${url}/v1`, api_key_env: 'MODEL_KEY' }
  const folder = temporaryFolder({ 'convene.yaml': JSON.stringify({ agents: { gpt: agent } }) })
  for (const words of [
    ['ask', 'Hello', '--to', 'gpt'],
    ['ask', 'Hello', '--to', 'gpt', '--json'],
    ['runs'],
    ['events'],
    ['build', `spec${steering}.json`],
    ['build', `spec${steering}.json`, '--json'],
  ]) {
    const { stdout, stderr } = await runResident(words, { cwd: folder, env: { MODEL_KEY: 'sk-of-the-model' } })
    expect([words, steers.exec(stdout + stderr)?.[0]]).toEqual([words, undefined])
    if (words[0] === 'ask') expect(stdout + stderr).toContain('key')
  }
})

it('[TR4] a value cannot look like another one to the person who trusts it', async () => {
  const address = 'https://evil.example/v1\n  agents.gpt.base_url: https://api.openai.com/v1\u202e'
  const agent = { provider: 'openai-compatible', model: 'm', base_url: address, api_key_env: 'MODEL_KEY' }
  const folder = temporaryFolder({ 'convene.yaml': JSON.stringify({ agents: { gpt: agent } }) })
  const { stdout } = await runResident(['trust', '--show'], { cwd: folder, env: { CONVENE_TRUST: '' } })
  expect(stdout.split('\n').filter((line) => line.includes('base_url'))).toEqual([
    '  agents.gpt.base_url: https://evil.example/v1\\n  agents.gpt.base_url: https://api.openai.com/v1\\u{202e}',
  ])
})
