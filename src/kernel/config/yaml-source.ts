/** Reads YAML and keeps the line of every value, for error messages. */
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseAllDocuments,
  visit,
} from 'yaml'
import { redactShapes } from '../redaction/redact.ts'
import { tooDeep, yamlHazard } from '../safe-yaml.ts'

export interface YamlSource {
  /** Plain data; `undefined` where the text holds nothing but comments. */
  value: unknown
  /** The line of the last part of a path that can be found, counted from 1. */
  lineOf(path: readonly string[]): number | undefined
}

/** A syntax error in the YAML, with its line and column. */
export interface YamlFault {
  message: string
  line?: number
  column?: number
}

export type YamlReading = { ok: true; source: YamlSource } | { ok: false; fault: YamlFault }

export const nothing: YamlSource = { value: undefined, lineOf: () => undefined }

export function readYaml(raw: string): YamlReading {
  const text = raw.replace(/^\uFEFF/, '')
  const lines = new LineCounter()
  const documents = parseAllDocuments(text, {
    lineCounter: lines,
    merge: true,
    prettyErrors: false, // A pretty error prints the line, and with it whatever secret stands there.
    logLevel: 'silent',
  })
  if (!Array.isArray(documents) || documents.length === 0) return { ok: true, source: nothing }
  const [document, second] = documents as Document.Parsed[]
  const at = (offset: number | undefined) => {
    if (offset === undefined) return {}
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }

  const error = document!.errors[0] ?? document!.warnings[0]
  if (error) return { ok: false, fault: { message: wordsFor(error, text), ...at(error.pos[0]) } }
  if (second)
    return { ok: false, fault: { message: 'a second document begins here; keep one', ...at(second.range[0]) } }
  const badKey = findLostAlias(document!) ?? yamlHazard(document!) ?? findBadKey(document!.contents)
  if (badKey) return { ok: false, fault: { message: badKey.message, ...at(badKey.offset) } }

  try {
    const value = document!.toJS({ maxAliasCount: 100 }) ?? undefined
    return { ok: true, source: { value, lineOf: (path) => lineOf(document!, lines, path) } }
  } catch (cause) {
    return { ok: false, fault: { message: cause instanceof Error ? cause.message.split('\n')[0]! : 'cannot be read' } }
  }
}

function wordsFor(error: { code: string; message: string; pos: [number, number] }, text: string): string {
  switch (error.code) {
    case 'DUPLICATE_KEY':
      return `the key '${keyAt(text, error.pos[0])}' is given a second time; keep one of the two`
    case 'RESOURCE_EXHAUSTION':
      return tooDeep
    case 'TAB_AS_INDENT':
      return 'a tab is used for indentation; YAML wants spaces'
    case 'TAG_RESOLVE_FAILED':
      return 'an unknown tag (a word that begins with !); leave it out, or put the value in quotes'
    case 'BAD_INDENT':
      if (/end with a/.test(error.message)) return 'a bracket that was opened above is not closed'
      return 'the indentation does not fit the lines above; use the same number of spaces for keys that belong together'
    case 'MULTILINE_IMPLICIT_KEY':
    case 'BLOCK_AS_IMPLICIT_KEY':
      return "this line cannot be read as 'key: value'; look for a missing ':' or a missing quote here or above"
    case 'MISSING_CHAR':
      return `${lowerFirst(error.message)}; look for a quote or bracket that is not closed`
    default:
      return lowerFirst(redactShapes(error.message))
  }
}

function keyAt(text: string, offset: number): string {
  return redactShapes(
    text
      .slice(offset, offset + 200)
      .split(/[\n:]/)[0]!
      .trim(),
  )
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}

/** Finds `*name` without an `&name` above it. */
function findLostAlias(document: Document): { message: string; offset: number | undefined } | undefined {
  let lost: Alias | undefined
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return undefined
      lost = alias
      return visit.BREAK
    },
  })
  if (!lost) return undefined
  return {
    message: `'*${lost.source}' refers to '&${lost.source}', which is not defined above it`,
    offset: offsetOf(lost),
  }
}

/** Refuses lists and maps as keys, missing keys and `__proto__`. */
function findBadKey(node: unknown): { message: string; offset: number | undefined } | undefined {
  if (isSeq(node)) return firstOf(node.items, findBadKey)
  if (!isMap(node)) return undefined
  return firstOf(node.items, (pair) => {
    const offset = offsetOf(pair.key) ?? offsetOf(pair.value)
    if (!isScalar(pair.key) && !isAlias(pair.key))
      return { message: 'a key must be a word, not a list or a map', offset }
    if (isScalar(pair.key) && pair.key.value === null) return { message: "a key is missing before ':'", offset }
    if (isScalar(pair.key) && pair.key.value === '__proto__') return { message: "'__proto__' cannot be a key", offset }
    return findBadKey(pair.value)
  })
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

function lineOf(document: Document, lines: LineCounter, path: readonly string[]): number | undefined {
  let node: unknown = document.contents
  let offset: number | undefined
  for (const segment of path) {
    const container = isAlias(node) ? node.resolve(document) : node
    const found = isMap(container) ? pairOf(document, container.items, segment) : undefined
    const item = isSeq(container) ? container.items[Number(segment)] : undefined
    if (!found && item === undefined) break
    offset = offsetOf(found ? found.key : item) ?? offset
    node = found ? found.value : item
  }
  return offset === undefined ? undefined : lines.linePos(offset).line
}

/** A key of the map itself, else one that `<<` merges into it. */
function pairOf(document: Document, pairs: readonly Pair[], key: string): Pair | undefined {
  const own = pairs.find((pair) => isScalar(pair.key) && String(pair.key.value) === key)
  if (own) return own
  for (const pair of pairs) {
    if (!isScalar(pair.key) || String(pair.key.source ?? pair.key.value) !== '<<') continue
    const merged = isSeq(pair.value) ? pair.value.items : [pair.value]
    for (const item of merged) {
      const map = isAlias(item) ? item.resolve(document) : item
      const found = isMap(map) ? pairOf(document, map.items, key) : undefined
      if (found) return found
    }
  }
  return undefined
}

function offsetOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0]
}
