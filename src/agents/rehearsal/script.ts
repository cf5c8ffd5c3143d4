/** Reads a rehearsal script: a YAML list of lines, each with the asks it matches and its reply. */
import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type YAMLMap } from 'yaml'
import { type AskKind, askKinds, type FailureReason, failureReasons } from '../../kernel/agent.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { yamlHazard } from '../../kernel/safe-yaml.ts'
import { nearest } from '../../rules/text/nearest.ts'

export interface RehearsalScript {
  /** The name shown to people; also the name of its pool of lines. */
  file: string
  lines: ScriptLine[]
}

export interface ScriptLine {
  /** The line number in the file, for messages. */
  row: number
  when: When
  /** The reply; with `fail`, the partial reply before the failure. */
  text: string
  fail?: FailureReason
  afterMs: number
  /** The agent stays silent until this file exists. */
  afterFile?: string
  streamMs: number
  repeat: boolean
  /** Path and content; `null` deletes the file. */
  files: [path: string, content: string | null][]
}

export interface When {
  ask?: AskKind
  agent?: string
  node?: string
  phase?: string
  round?: number
  attempt?: number
  contains?: string
}

const mostBytes = 16 * 1024 * 1024

export function readRehearsalScript(path: string, file = path): RehearsalScript {
  let source: string
  try {
    // A device or a pipe would be read without end, and a huge file for minutes.
    const stats = statSync(path)
    if (!stats.isFile()) throw new Error('it is not a regular file')
    if (stats.size > mostBytes) throw new Error('it is larger than 16 MB; is it the right file?')
    source = readFileSync(path, 'utf8')
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : (error as Error).message
    throw new ConveneError('invalid_script', `rehearsal script ${file}: ${why}`, { cause: error })
  }
  return parseRehearsalScript(source, file, dirname(path))
}

/** Relative paths in the script are relative to `folder`. */
export function parseRehearsalScript(source: string, file: string, folder = '.'): RehearsalScript {
  const counter = new LineCounter()
  const document = parseDocument(source, { lineCounter: counter })
  const [fault] = document.errors
  if (fault) throw invalid(file, fault.linePos?.[0].line ?? 1, fault.message.split(/ at line |\n/)[0]!)
  const root = document.contents
  if (root === null) return { file, lines: [] }
  if (!isSeq(root)) throw invalid(file, 1, 'a script is a list of lines, each starting with "- "', '', 'a list')
  const rowOf = (node: unknown) => {
    const range = isNode(node) ? node.range : undefined
    return range ? counter.linePos(range[0]).line : 1
  }
  const hazard = yamlHazard(document)
  if (hazard) throw invalid(file, counter.linePos(hazard.offset ?? 0).line, hazard.message, '', 'a list')
  const lines = root.items.map((entry, index) => {
    const row = rowOf(entry)
    const item = isAlias(entry) ? entry.resolve(document) : entry
    if (!isMap(item)) throw invalid(file, row, `entry ${index + 1} is not a set of keys`, `${index}`, 'keys and values')
    const entryContext = { file, folder, index, rowOf: (keys: readonly string[]) => rowOf(keyNode(item, keys) ?? item) }
    return { row, ...readLine(item.toJS(document) as Entry, entryContext) }
  })
  return { file, lines }
}

/** The YAML node of the deepest of these keys that exists. */
function keyNode(map: YAMLMap, [key, ...deeper]: readonly string[]): unknown {
  const pair = map.items.find((entry) => isScalar(entry.key) && String(entry.key.value) === key)
  const below = pair && isMap(pair.value) && deeper.length > 0 ? keyNode(pair.value, deeper) : undefined
  return below ?? pair?.key
}

type Entry = Record<string, unknown>

interface EntryContext {
  file: string
  folder: string
  index: number
  rowOf: (keys: readonly string[]) => number
}

const lineKeys = ['when', 'reply', 'text', 'after_ms', 'after_file', 'stream_ms', 'repeat', 'files', 'fail'] as const
const whenKeys = ['ask', 'agent', 'node', 'phase', 'round', 'attempt', 'contains'] as const

function readLine(entry: Entry, entryContext: EntryContext): Omit<ScriptLine, 'row'> {
  for (const key of Object.keys(entry)) {
    if (!isOneOf(key, lineKeys)) throw unknownKey(entryContext, [key], lineKeys)
  }
  if (Object.hasOwn(entry, 'reply') && Object.hasOwn(entry, 'text')) {
    throw wrong(entryContext, ['text'], 'has both reply and text; keep one')
  }
  if (!Object.hasOwn(entry, 'reply') && !Object.hasOwn(entry, 'text') && !Object.hasOwn(entry, 'fail')) {
    throw wrong(entryContext, [], 'says nothing', 'reply, text or fail')
  }
  return {
    when: readWhen(entry.when, entryContext),
    text: readText(entry, entryContext),
    ...(entry.fail === undefined ? {} : { fail: readChoice(entry.fail, ['fail'], failureReasons, entryContext) }),
    afterMs: readDuration(entry.after_ms, ['after_ms'], entryContext),
    ...(entry.after_file === undefined ? {} : { afterFile: readPath(entry.after_file, ['after_file'], entryContext) }),
    streamMs: readDuration(entry.stream_ms, ['stream_ms'], entryContext),
    repeat: readBoolean(entry.repeat, ['repeat'], entryContext),
    files: readFiles(entry.files, entryContext),
  }
}

function readText(entry: Entry, entryContext: EntryContext): string {
  if (Object.hasOwn(entry, 'reply')) {
    if (entry.reply === null) throw wrong(entryContext, ['reply'], 'is empty', 'what is sent as JSON')
    return JSON.stringify(entry.reply)
  }
  if (entry.text === undefined) return ''
  if (typeof entry.text !== 'string') throw wrong(entryContext, ['text'], 'is not text; put it in quotes', 'text')
  return entry.text
}

function readWhen(value: unknown, entryContext: EntryContext): When {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value))
    throw wrong(entryContext, ['when'], 'is not a set of keys', 'keys and values')
  const when: When = {}
  for (const [key, wanted] of Object.entries(value)) {
    const path = ['when', key]
    if (!isOneOf(key, whenKeys)) throw unknownKey(entryContext, path, whenKeys)
    if (key === 'ask') when.ask = readChoice(wanted, path, askKinds, entryContext)
    else if (key === 'round' || key === 'attempt') when[key] = readCount(wanted, path, entryContext)
    else if (typeof wanted === 'string' || typeof wanted === 'number') when[key] = String(wanted)
    else throw wrong(entryContext, path, 'is not text; put it in quotes', 'text')
  }
  return when
}

function readFiles(value: unknown, entryContext: EntryContext): ScriptLine['files'] {
  if (value === undefined || value === null) return []
  if (typeof value !== 'object' || Array.isArray(value))
    throw wrong(entryContext, ['files'], 'is not a set of paths', 'path: content')
  return Object.entries(value).map(([path, content]) => {
    if (content === null || typeof content === 'string') return [path, content]
    throw wrong(entryContext, ['files', path], 'is not text; put it in quotes, or write null to delete', 'text or null')
  })
}

function readDuration(value: unknown, key: string[], entryContext: EntryContext): number {
  if (value === undefined) return 0
  if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return value
  throw wrong(entryContext, key, `is ${JSON.stringify(value)}`, 'milliseconds, 0 or more')
}

function readPath(value: unknown, key: string[], entryContext: EntryContext): string {
  if (typeof value === 'string' && value !== '') return resolve(entryContext.folder, value)
  throw wrong(entryContext, key, `is ${JSON.stringify(value)}`, 'the path of a file')
}

function readCount(value: unknown, key: string[], entryContext: EntryContext): number {
  if (Number.isInteger(value) && (value as number) >= 0) return value as number
  throw wrong(entryContext, key, `is ${JSON.stringify(value)}`, 'a whole number')
}

function readBoolean(value: unknown, key: string[], entryContext: EntryContext): boolean {
  if (value === undefined) return false
  if (typeof value === 'boolean') return value
  throw wrong(entryContext, key, `is ${JSON.stringify(value)}`, 'true or false')
}

function readChoice<Choice extends string>(
  value: unknown,
  key: string[],
  choices: readonly Choice[],
  entryContext: EntryContext,
): Choice {
  if (isOneOf(value, choices)) return value
  const meant = nearest(String(value), choices)
  throw wrong(
    entryContext,
    key,
    `is ${JSON.stringify(value)}${meant ? `; did you mean "${meant}"?` : ''}`,
    choices.join(' | '),
  )
}

function isOneOf<Choice extends string>(value: unknown, choices: readonly Choice[]): value is Choice {
  return (choices as readonly unknown[]).includes(value)
}

function unknownKey(entryContext: EntryContext, keys: string[], known: readonly string[]): ConveneError {
  const meant = nearest(keys.at(-1)!, known)
  return wrong(entryContext, keys, `is not a key here${meant ? `; did you mean "${meant}"?` : ''}`, known.join(' | '))
}

function wrong(entryContext: EntryContext, keys: string[], problem: string, expected?: string): ConveneError {
  const subject = [`entry ${entryContext.index + 1}`, ...(keys.length > 0 ? [keys.join('.')] : [])].join(', ')
  const path = [entryContext.index, ...keys].join('.')
  return invalid(entryContext.file, entryContext.rowOf(keys), `${subject} ${problem}`, path, expected)
}

function invalid(file: string, row: number, problem: string, path = '', expected?: string): ConveneError {
  const wanted = expected ? ` (expected: ${expected})` : ''
  return new ConveneError('invalid_script', `rehearsal script ${file}, line ${row}: ${problem}${wanted}`, {
    ...(path ? { path } : {}),
    ...(expected ? { expected } : {}),
  })
}
