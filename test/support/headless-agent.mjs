/**
 * A program that behaves like `claude -p --output-format stream-json`. Its first argument is a JSON file: `{prompts: [{contains,
 * once?, do: [action]}], log?}`. Each start adds `{args, prompt, cwd, env}` to `log`.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

const [file, ...args] = process.argv.slice(2)
const { prompts, log } = JSON.parse(readFileSync(file, 'utf8'))
const prompt = await text(process.stdin)
const env = Object.keys(process.env)
if (log) appendFileSync(log, `${JSON.stringify({ args, prompt, cwd: process.cwd(), env })}\n`)

const send = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
const result = (more) =>
  send({ type: 'result', subtype: 'success', is_error: false, stop_reason: 'end_turn', total_cost_usd: 0.02, ...more })
const usage = { input_tokens: 120, cache_read_input_tokens: 30, output_tokens: 40 }
let tools = 0

const piece = (words) =>
  send({ type: 'stream_event', event: { type: 'content_block_delta', delta: { type: 'text_delta', text: words } } })

const actions = {
  async say({ say, slowly = 0 }) {
    for (const words of slowly ? say.match(/\S+\s*/g) : [say]) {
      piece(words)
      if (slowly) await sleep(slowly)
    }
    send({ type: 'assistant', message: { content: [{ type: 'text', text: say }] } })
  },
  write({ write: [path, content] }) {
    const id = `t${++tools}`
    const input = { file_path: resolve(path), content }
    send({ type: 'assistant', message: { content: [{ type: 'tool_use', id, name: 'Write', input }] } })
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    send({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] } })
  },
  link: ({ link: [path, target] }) => symlinkSync(target, path),
  remove: ({ remove }) => rmSync(remove, { recursive: true, force: true }),
  words: ({ words }) => process.stdout.write(`${words}\n`),
  sleep: ({ sleep: ms }) => sleep(ms),
  fail: ({ fail }) => end(() => result({ is_error: true, result: fail, usage })),
  refuse: () => end(() => result({ stop_reason: 'refusal', usage })),
  die: ({ die, stderr }) => {
    if (stderr) process.stderr.write(`${stderr}\n`)
    process.exit(die)
  },
}

function end(last) {
  last()
  process.exit(0)
}

send({ type: 'system', subtype: 'init', tools: ['Read', 'Write'] })
// Each start is a process of its own: what was played is counted in a file.
const played = existsSync(`${file}.played`) ? readFileSync(`${file}.played`, 'utf8').split('\n') : []
const fits = ({ contains }) => prompt.includes(contains)
const found =
  prompts.find((each, index) => each.once && !played.includes(`${index}`) && fits(each)) ?? prompts.findLast(fits)
appendFileSync(`${file}.played`, `${prompts.indexOf(found)}\n`)
for (const action of found?.do ?? []) await Object.entries(actions).find(([name]) => name in action)[1](action)
result({ usage })
