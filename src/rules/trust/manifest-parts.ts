/** Parts of a manifest that configure one kind of tool: read for comparison, or replaced by those of another version. */

/** By the manifest's name in lower case: keys of a JSON file, or names of tables. */
export type ManifestParts = Readonly<Record<string, readonly string[] | RegExp>>

/** Null if the file is no manifest with such parts. Text that cannot be read counts as a whole. */
export function partsIn(path: string, text: string, wanted: ManifestParts): string | null {
  const parts = wantedIn(path, wanted)
  if (parts === undefined) return null
  return parts instanceof RegExp ? tables(text, parts) : jsonParts(text, parts)
}

/** `after` with the parts that `before` has; null if the file has no such parts, or cannot be read. */
export function withPartsOf(path: string, before: string, after: string, wanted: ManifestParts): string | null {
  const parts = wantedIn(path, wanted)
  if (parts === undefined) return null
  if (parts instanceof RegExp) {
    const rest = tablesBut(after, parts).trimEnd()
    return rest === tablesBut(before, parts).trimEnd() ? before : `${rest}\n\n${tables(before, parts)}\n`
  }
  const [was, is] = [objectIn(before), objectIn(after)]
  if (!was || !is) return null
  const kept = Object.keys(is).filter((key) => !parts.includes(key) || Object.hasOwn(was, key))
  const gone = Object.keys(was).filter((key) => parts.includes(key) && !kept.includes(key))
  const joined = [...kept, ...gone].map((key) => [key, (parts.includes(key) ? was : is)[key]])
  const whole = JSON.stringify(Object.fromEntries(joined))
  if (whole === JSON.stringify(was)) return before
  const indent = /^([ \t]+)"/m.exec(after)?.[1] ?? 2
  return `${JSON.stringify(JSON.parse(whole), null, indent)}\n`
}

export function jsonParts(text: string, keys: readonly string[]): string {
  const whole = objectIn(text)
  if (!whole) return text
  const parts = keys.filter((key) => Object.hasOwn(whole, key))
  return JSON.stringify(Object.fromEntries(parts.map((key) => [key, whole[key]])))
}

/** The lines of the tables whose names match, without comments and blank lines. */
export function tables(text: string, wanted: RegExp): string {
  return linesBy(text, wanted)
    .filter(({ line, isInside }) => isInside && line.trim() !== '' && !/^\s*[#;]/.test(line))
    .map(({ line }) => line)
    .join('\n')
}

function tablesBut(text: string, wanted: RegExp): string {
  return linesBy(text, wanted)
    .filter(({ isInside }) => !isInside)
    .map(({ line }) => line)
    .join('\n')
}

function linesBy(text: string, wanted: RegExp): { line: string; isInside: boolean }[] {
  let isInside = false
  return text.split(/\r?\n/).map((line) => {
    const header = /^\s*\[\[?\s*([^\]]+?)\s*\]/.exec(line)?.[1]
    if (header !== undefined) isInside = wanted.test(header.replaceAll(/["']/g, ''))
    return { line, isInside }
  })
}

function wantedIn(path: string, wanted: ManifestParts): readonly string[] | RegExp | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return Object.hasOwn(wanted, name) ? wanted[name] : undefined
}

function objectIn(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {}
  try {
    const whole: unknown = JSON.parse(text)
    return typeof whole === 'object' && whole !== null && !Array.isArray(whole)
      ? (whole as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
