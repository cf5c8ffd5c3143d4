/** Turns the exchanges of a spool into the lines of a rehearsal script, and a room's into the person's messages. */
import type { Exchange, ToolUse } from './spool.ts'

export interface RecordedLine {
  when: { ask?: string; agent: string; contains?: string }
  text: string
  files?: Record<string, string>
}

export interface RecordedMessage {
  text: string
  proposed: string[]
  answered: string[]
}

/** The first words of the request to sum up an issue. */
const finishedIssue = /^Issue #\d+ of [^,]+/m

/** How a prompt shows its kind: its own first words, from `src/agents/prompts/`. */
const kinds: readonly (readonly [kind: string, shows: RegExp])[] = [
  ['micro-proposal', /Say in one JSON object what your answer would be about/],
  ['agent-message', /has written to you, outside the conversation/],
  ['turn', /a router passes the word between you/],
  ['answer', /Answer the person's last message directly/],
  ['summary', /talk in a room\. The talk has become too/],
  ['summary', finishedIssue],
  ['scaffold', /^# Scaffold /m],
  ['write-tests', /^# Write the tests of /m],
  ['implement', /^# (?:Implement|Build) /m],
  ['review-impl', /^# Review the implementation of /m],
  ['judge-child', /^# Judge /m],
  ['child-failed', /, a part of .*, has failed$/m],
  ['merge', /^# Merge /m],
  ['rebase', /^# Rebase /m],
]

/** `unknown` names what a script cannot replay; `base` reads the files of the project that the models worked on. */
export function linesOf(
  exchanges: readonly Exchange[],
  base: (path: string) => string | undefined = () => undefined,
): { lines: RecordedLine[]; unknown: string[] } {
  const unknown: string[] = []
  const written = new Texts(base)
  const lines = exchanges.map((exchange): RecordedLine => {
    const ask = kindOf(exchange)
    const agent = agentOf(exchange)
    const contains = markOf(exchange, ask)
    const files = filesOf(exchange.tools, written, (path) =>
      unknown.push(`${agent} edited ${path}, which it had not written`),
    )
    return {
      when: { ...(ask ? { ask } : {}), agent, ...(contains ? { contains } : {}) },
      text: exchange.reply,
      ...(Object.keys(files).length > 0 ? { files } : {}),
    }
  })
  return { lines, unknown }
}

/** The person's messages in order, with the agents that proposed and answered. */
export function talkOf(exchanges: readonly Exchange[]): RecordedMessage[] {
  const talk: RecordedMessage[] = []
  let proposed: { text: string; agents: string[] } = { text: '', agents: [] }
  for (const exchange of exchanges) {
    const ask = kindOf(exchange)
    if (ask === 'micro-proposal') {
      const text = proposedFor(exchange)
      if (text !== proposed.text) proposed = { text, agents: [] }
      proposed.agents.push(agentOf(exchange))
    }
    if (ask !== 'answer') continue
    const latest = talk.at(-1)
    if (latest?.text === exchange.last && !latest.answered.includes(agentOf(exchange))) {
      latest.answered.push(agentOf(exchange))
      continue
    }
    const by = proposed.text === exchange.last ? proposed.agents.toSorted() : []
    talk.push({ text: exchange.last, proposed: by, answered: [agentOf(exchange)] })
  }
  return talk
}

function kindOf({ prompt, last }: Exchange): string | undefined {
  return kinds.find(([, shows]) => shows.test(last))?.[0] ?? kinds.find(([, shows]) => shows.test(prompt))?.[0]
}

/** A planner's or builder's prompt names no agent: the model's name does, as `live-<agent>`. */
function agentOf({ prompt, model }: Exchange): string {
  return /^Your name is ([^.\n]+)\./m.exec(prompt)?.[1] ?? model.replace(/^live-/, '')
}

/** A part of the prompt that tells this ask from others of the same kind. */
function markOf(exchange: Exchange, ask: string | undefined): string | undefined {
  const { prompt, last } = exchange
  if (ask === 'micro-proposal') return short(proposedFor(exchange))
  if (ask === 'answer') return short(last)
  if (ask === 'turn') return short(/^Goal:\n(.+)$/m.exec(prompt)?.[1] ?? '')
  // A planner's asks are told apart by their roles; those of the coordinator by their form.
  const role = /^You are [\w-]+:/m.exec(last)?.[0]
  if (role && /Reply in this form: /.test(last)) return role
  const heading = /^# .+$/m.exec(last)?.[0] ?? finishedIssue.exec(last)?.[0]
  return short(heading ?? /Reply in this form: .+/.exec(prompt)?.[0] ?? '')
}

function proposedFor({ prompt }: Exchange): string {
  return /\nThe message:\n([\s\S]*?)\n\nReply with the JSON object alone/.exec(prompt)?.[1] ?? ''
}

function short(text: string): string | undefined {
  return text.split('\n', 1)[0]!.slice(0, 80) || undefined
}

/** What the tools wrote; edits are applied to what an earlier exchange wrote. */
function filesOf(tools: readonly ToolUse[], written: Texts, missing: (path: string) => void): Record<string, string> {
  const touched = new Set<string>()
  for (const { name, arguments: given } of tools) {
    const path = String(given.path ?? '')
    if (name === 'write') written.set(path, String(given.content ?? ''))
    else if (name !== 'edit') continue
    else {
      const text = written.get(path)
      if (text === undefined) {
        missing(path)
        continue
      }
      written.set(path, edited(text, given))
    }
    touched.add(path)
  }
  return Object.fromEntries([...touched].map((path) => [path, written.get(path)!]))
}

/** What models wrote so far, on top of the project. */
class Texts {
  readonly #base: (path: string) => string | undefined
  readonly #written = new Map<string, string>()

  constructor(base: (path: string) => string | undefined) {
    this.#base = base
  }

  get(path: string): string | undefined {
    return this.#written.get(path) ?? this.#base(path)
  }

  set(path: string, text: string): void {
    this.#written.set(path, text)
  }
}

/** Not `replace`: it would expand `$&` in the new text. */
function edited(text: string, given: Record<string, unknown>): string {
  const [old, fresh] = [String(given.old ?? ''), String(given.new ?? '')]
  if (given.all === true) return text.split(old).join(fresh)
  const at = text.indexOf(old)
  return at < 0 ? text : text.slice(0, at) + fresh + text.slice(at + old.length)
}
