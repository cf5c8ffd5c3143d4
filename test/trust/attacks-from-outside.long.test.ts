/**
 * A cloned repository, a model, other commands and other pages attack: findings 4 to 6, 12 and 13 of the adversary, as root and as an
 * ordinary user. No command of an agent runs here, so bubblewrap makes no difference. The comments say what the version before
 * the rules did; `CONVENE_ATTACKED` shows it.
 */
import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { type Circumstance, listener, makeTarget, type Target, users } from './target.ts'

const key = { STOLEN_KEY: 'sk-private-0123456789abcdef' }
const untrusting = { CONVENE_TRUST: '' }
const agent = (url: string, provider = 'openai-compatible') =>
  `agents:\n  gpt: { provider: ${provider}, model: m, base_url: '${url}/v1', api_key_env: STOLEN_KEY }\n`

const chunk = (content: string, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`

async function serve(target: Target, env: Record<string, string> = {}) {
  const running = target.start(['serve', '--port', '0', '--json'], env)
  const [, url = ''] = await running.says(/"url":"([^"]+)"/)
  const status = async (headers: Record<string, string>, place = url) =>
    (await fetch(`${place}/api/rooms`, { headers: { accept: 'application/json', ...headers } })).status
  return { running, url, status }
}

interface Attack {
  rule: string
  what: string
  play(circumstance: Circumstance): Promise<void>
}

const attacks: Attack[] = [
  // Before: the listener got the variable's value as a key, and the command ended with 1 because it answered nothing.
  {
    rule: 'TR4',
    what: 'a cloned configuration sends no variable to an address of its own',
    async play(circumstance) {
      const { url, heard } = await listener()
      const target = makeTarget(circumstance)
      target.write({ 'convene.yaml': agent(url) })
      const asked = await target.run(['ask', 'Hello', '--json'], { ...key, ...untrusting })
      expect([asked.code, asked.report.error?.code]).toEqual([2, 'untrusted_config'])
      expect(heard).toEqual([])
    },
  },
  // Before: anthropic and google sent the key again to the second host.
  {
    rule: 'TR4',
    what: 'a key follows no redirect to another host',
    async play(circumstance) {
      const other = await listener()
      const first = await listener((_, response) => {
        response.writeHead(307, { location: `${other.url}/v1/messages` }).end()
      })
      const target = makeTarget(circumstance)
      target.write({ 'convene.yaml': agent(first.url, 'anthropic') })
      const asked = await target.run(['ask', 'Hello', '--to', 'gpt', '--json'], key)
      expect(asked.code).not.toBe(0)
      expect(first.heard.length).toBeGreaterThan(0)
      expect(other.heard).toEqual([])
    },
  },
  // Before: the committed token was adopted: whoever knows the repository could use the server.
  {
    rule: 'TR4',
    what: 'a token that came with the repository opens nothing',
    async play(circumstance) {
      const target = makeTarget(circumstance)
      target.write({ '.convene/token': 'known-to-everybody\n', 'convene.yaml': '{}\n' })
      target.git('init', '--quiet')
      target.git('add', '--force', '--all')
      const { status, running } = await serve(target)
      expect(await status({ authorization: 'Bearer known-to-everybody' })).toBe(401)
      running.kill()
    },
  },
  // Before: the process took all that was sent (here 200 MB) and grew, in the end until the kernel ended it.
  {
    rule: 'TR5',
    what: 'a reply without an end is cut, and the command ends',
    async play(circumstance) {
      let sent = 0
      const model = await listener((request, response) => {
        request.resume()
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const piece = chunk('x'.repeat(250_000))
        // Bounded: if the limit fails, the test fails and the machine lives.
        const send = () => {
          while (!response.destroyed && sent < 200_000_000) {
            sent += piece.length
            if (!response.write(piece)) return void response.once('drain', send)
          }
          response.end()
        }
        send()
      })
      const target = makeTarget(circumstance)
      target.write({ 'convene.yaml': agent(model.url) })
      const asked = await target.run(['ask', 'Hello', '--to', 'gpt', '--json'], key)
      expect(asked.code).toBe(1)
      expect(asked.stdout).toContain('16 MB')
      expect(sent).toBeLessThan(100_000_000)
    },
  },
  // At first each later prompt had the whole 10 MB in it; the last version before this stage already had a window for rooms.
  {
    rule: 'TR5',
    what: 'a large reply is shortened in later prompts',
    async play(circumstance) {
      const prompts: number[] = []
      const model = await listener(async (request, response) => {
        prompts.push((await text(request)).length)
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(
          `${chunk('word '.repeat(prompts.length === 1 ? 2_000_000 : 1))}${chunk('', 'stop')}data: [DONE]\n\n`,
        )
      })
      const target = makeTarget(circumstance)
      target.write({ 'convene.yaml': agent(model.url) })
      for (const message of ['Hello', 'And now?'])
        expect((await target.run(['ask', message, '--to', 'gpt', '--room', 'r'], key)).code).toBe(0)
      // The room may also be summarised.
      expect(prompts.length).toBeGreaterThan(1)
      expect(Math.max(...prompts.slice(1))).toBeLessThan(1_000_000)
    },
  },
  // Before: 45 to 49 of 50 failed, and 5 of 6 calls were paid twice (here one of eight). Fifty at once are in test/cli/crowd.long.test.ts.
  {
    rule: 'TR6',
    what: 'commands at once without a server are all answered, each request paid once',
    async play(circumstance) {
      const requests: string[] = []
      const model = await listener(async (request, response) => {
        requests.push(/question \d+/.exec(await text(request))?.[0] ?? 'another')
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(`${chunk('Here.')}${chunk('', 'stop')}data: [DONE]\n\n`)
      })
      const target = makeTarget(circumstance)
      target.write({ 'convene.yaml': agent(model.url) })
      const numbers = Array.from({ length: 8 }, (_, index) => index + 1)
      const ended = await Promise.all(
        numbers.map((n) => target.run(['ask', `question ${n}`, '--to', 'gpt', '--room', `r${n}`], key)),
      )
      expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(numbers.map(() => [0, expect.anything()]))
      expect(requests.toSorted()).toEqual(numbers.map((n) => `question ${n}`))
    },
  },
  // Before: the cookie was the token itself, which any page on another port of this host receives.
  {
    rule: 'TR12',
    what: 'what a cookie holds opens nothing elsewhere',
    async play(circumstance) {
      const token = { CONVENE_TOKEN: 'a-secret-of-the-user' }
      const target = makeTarget(circumstance)
      target.write({ 'convene.yaml': '{}\n' })
      const other = makeTarget(circumstance)
      other.write({ 'convene.yaml': '{}\n' })
      const [one, two] = await Promise.all([serve(target, token), serve(other, token)])
      const visit = await fetch(`${one.url}/?token=${token.CONVENE_TOKEN}`, { redirect: 'manual' })
      const [cookie = ''] = (visit.headers.get('set-cookie') ?? '').split('; ')
      const value = cookie.split('=')[1] ?? ''
      expect(await one.status({ cookie })).toBe(200)
      expect(await one.status({ authorization: `Bearer ${value}` })).toBe(401)
      const named = `convene_${new URL(two.url).port}=${value}`
      expect(await two.status({ cookie: named })).toBe(401)
      for (const { running } of [one, two]) running.kill()
    },
  },
  // Before: the second server started too, and both wrote to one database.
  {
    rule: 'TR13',
    what: 'a removed lock makes no second owner',
    async play(circumstance) {
      const target = makeTarget(circumstance)
      target.write({ 'convene.yaml': '{}\n' })
      const { running } = await serve(target)
      const owner = () => JSON.parse(readFileSync(join(target.folder, '.convene/owner.json'), 'utf8')).pid
      const first = owner()
      rmSync(join(target.folder, '.convene/owner.lock'), { force: true })
      const second = target.start(['serve', '--port', '0', '--json'])
      const started = second.says(/"url"/).then(
        () => true,
        () => false,
      )
      expect(await started).toBe(false)
      expect(owner()).toBe(first)
      running.kill()
    },
  },
  // Before: the run ended because its budget of minutes was spent.
  {
    rule: 'TR13',
    what: 'a clock that is set while agents work spends no budget',
    async play(circumstance) {
      const target = makeTarget(circumstance)
      const agent = '{ provider: rehearsal, script: script.yaml }'
      target.write({
        'convene.yaml': `agents:\n  gpt: ${agent}\n  ann: ${agent}\nbudget: { minutes: 600 }\n`,
        'script.yaml': '- { reply: { message: one }, after_file: set }\n- { reply: { message: two }, repeat: true }\n',
        // A day ahead as soon as the file is there.
        '../clock.cjs': `const { existsSync } = require('node:fs')
const now = Date.now
Date.now = () => now() + (existsSync('set') ? 86_400_000 : 0)
`,
      })
      const talk = ['ask', 'Hello', '--mode', 'autopilot', '--to', 'gpt,ann', '--max-rounds', '2', '--json']
      const asking = target.start(talk, { NODE_OPTIONS: `--require=${join(target.folder, '../clock.cjs')}` })
      await asking.says(/"type":"ask.started"/)
      // The first agent speaks once the clock is set; the second is asked after that.
      target.write({ set: '' })
      const asked = await asking.finished
      expect([asked.code, asked.stdout]).toEqual([0, expect.stringContaining('two')])
      expect(asked.stdout).not.toContain('budget')
    },
  },
  // Before: exit code 1 and an internal error (a stack overflow), and files of mode 0644.
  {
    rule: 'TR13',
    what: 'a file that contains itself is refused, and state belongs to its user alone',
    async play(circumstance) {
      const target = makeTarget(circumstance)
      target.write({
        'convene.yaml': 'agents:\n  gpt: { provider: rehearsal, script: script.yaml }\n',
        'script.yaml': '- when: { ask: answer }\n  reply: &a { message: *a }\n',
      })
      const cyclic = await target.run(['ask', 'Hello', '--to', 'gpt'])
      expect([cyclic.code, cyclic.stderr]).toEqual([2, expect.stringContaining('script.yaml')])
      target.write({ 'script.yaml': "- text: 'Hello.'\n  repeat: true\n" })
      expect((await target.run(['ask', 'Hello', '--to', 'gpt'])).code).toBe(0)
      expect(openIn(join(target.folder, '.convene'))).toEqual([])
    },
  },
]

/** What others can read. */
function openIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .concat(folder)
    .filter((path) => (lstatSync(path).mode & 0o077) !== 0)
}

describe.each(users)('as %s', (user) => {
  it.each(attacks)('[$rule] $what', ({ play }) => play({ user, sandbox: 'with bubblewrap' }))
})
