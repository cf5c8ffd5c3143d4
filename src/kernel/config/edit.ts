/** Changes single values in the text of a `convene.yaml`; everything else, comments included, stays. */
import { type Document, isCollection, isMap, isScalar, parseDocument, YAMLMap } from 'yaml'
import { ConveneError } from '../errors.ts'

export interface ConfigEdit {
  path: readonly [string, ...string[]]
  /** Undefined removes the key. */
  value: string | Readonly<Record<string, string | boolean>> | undefined
}

/** Throws if the text is no YAML map, or if a part of the path is something that cannot be changed here (an alias). */
export function editConfigText(text: string, edits: readonly ConfigEdit[]): string {
  const document = parseDocument(text, { logLevel: 'silent' })
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents)))
    throw unreadable('it is not a YAML map')
  document.contents ??= new YAMLMap() as never
  for (const { path, value } of edits) {
    if (value === undefined) {
      if (document.hasIn(path)) document.deleteIn(path)
    } else {
      for (let depth = 1; depth < path.length; depth++) makeMap(document, path.slice(0, depth))
      set(document, path, value)
    }
  }
  const written = document.toString({ lineWidth: 0 })
  return text.startsWith('\uFEFF') ? `\uFEFF${written}` : written
}

/** A key without a value, such as `roles:` with all its lines commented out, becomes a map and keeps its comments. */
function makeMap(document: Document, path: readonly string[]): void {
  const found = document.getIn(path, true)
  if (isMap(found)) return
  if (found !== undefined && !(isScalar(found) && found.value === null))
    throw unreadable(`${path.join('.')} is not a map that can be changed`)
  const map = new YAMLMap()
  if (isScalar(found)) {
    map.commentBefore = found.commentBefore ?? found.comment
    map.spaceBefore = found.spaceBefore
  }
  document.setIn(path, map)
}

function set(document: Document, path: readonly string[], value: NonNullable<ConfigEdit['value']>): void {
  const found = document.getIn(path, true)
  // The comment behind a value stays where it is.
  if (isScalar(found) && typeof value === 'string') {
    found.value = value
    return
  }
  const node = document.createNode(value)
  const siblings = document.getIn(path.slice(0, -1), true)
  // An entry is written like the entries beside it.
  if (isCollection(node) && isMap(siblings) && siblings.items.some(({ value }) => isCollection(value) && value.flow))
    node.flow = true
  document.setIn(path, node)
}

function unreadable(why: string): ConveneError {
  return new ConveneError('cannot_edit', `convene.yaml cannot be changed from here: ${why}; edit it by hand`, {
    status: 409,
  })
}
