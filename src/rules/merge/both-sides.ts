/** Settles a conflict between files that only grew, such as tests: the lines of both sides stay. SPEC.md § GR2. */

export interface JoinedText {
  text: string
  /** Both sides changed the same old lines, so that keeping both says something twice. */
  overlaps: boolean
}

/**
 * `conflicted` has git's conflict markers with the common ancestor (`diff3`). Where both sides begin with imports, these are
 * written once, in front.
 */
export function bothSides(conflicted: string): JoinedText {
  const lines: string[] = []
  let overlaps = false
  let sides: Record<Side, string[]> | undefined
  let side: Side = 'ours'
  for (const line of conflicted.split('\n')) {
    if (sides === undefined) {
      if (!/^<{7} /.test(line)) lines.push(line)
      else [sides, side] = [{ ours: [], ancestor: [], theirs: [] }, 'ours']
    } else if (side === 'ours' && /^\|{7}(?: |\r?$)/.test(line)) side = 'ancestor'
    else if (side === 'ancestor' && /^={7}\r?$/.test(line)) side = 'theirs'
    else if (side === 'theirs' && /^>{7} /.test(line)) {
      overlaps ||= sides.ancestor.some((one) => one.trim() !== '')
      lines.push(...joined(sides.ours, sides.theirs))
      sides = undefined
    } else sides[side].push(line)
  }
  // The marker that should end it is missing, so nothing is known about these lines.
  if (sides !== undefined)
    return { text: [...lines, ...sides.ours, ...sides.ancestor, ...sides.theirs].join('\n'), overlaps: true }
  return { text: lines.join('\n'), overlaps }
}

type Side = 'ours' | 'ancestor' | 'theirs'

function joined(ours: readonly string[], theirs: readonly string[]): string[] {
  const [one, other] = [importsFirst(ours), importsFirst(theirs)]
  const imports = joinedImports(one.imports, other.imports)
  const gap = one.rest.length > 0 && other.rest.length > 0 && one.rest.at(-1) !== '' && other.rest[0] !== '' ? [''] : []
  return [...imports, ...one.rest, ...(imports.length > 0 ? gap : []), ...other.rest]
}

const importing =
  /^(?:import\b|from\s+\S+\s+import\b|(?:const|let|var)\s[^=]+=\s*require\(|use\s|#include\b|package\s|(['"])use strict\1)/

/** The statements in front that import something, each with its comments; an import may take several lines. */
function importsFirst(lines: readonly string[]): { imports: string[]; rest: string[] } {
  const imports: string[] = []
  let statement: string[] = []
  let end = 0
  let open = 0
  for (const [index, line] of lines.entries()) {
    const isAside = /^\s*(?:$|\/\/|\/\*|\*|#(?!include))/.test(line)
    if (open === 0 && !isAside && !importing.test(line)) break
    if (open === 0 && line.trim() === '') continue
    statement.push(line)
    if (isAside && open === 0) continue
    open += count(line, /[({]/g) - count(line, /[)}]/g)
    if (open > 0) continue
    // More is closed than was opened: this is no import, and nothing behind it is known.
    if (open < 0) break
    imports.push(statement.join('\n'))
    statement = []
    end = index + 1
  }
  return { imports, rest: imports.length === 0 ? [...lines] : lines.slice(end) }
}

const named = /^((?:import(?:\s+type)?|const|let|var)\s*)\{([^}]*)\}(\s*(?:from|=\s*require\()[\s\S]*)$/

/** Go refuses a package that is imported twice. */
const goImports = /^import \(\n([\s\S]*)\n\)$/

/** The same import once; of two that take names from one module, one that takes the names of both. */
function joinedImports(ours: readonly string[], theirs: readonly string[]): string[] {
  const all = [...ours]
  for (const statement of theirs) {
    if (all.includes(statement)) continue
    const group = goImports.exec(statement)?.[1]
    const ownGroup = all.findIndex((one) => goImports.test(one))
    if (group !== undefined && ownGroup !== -1) {
      const known = goImports.exec(all[ownGroup]!)![1]!
      all[ownGroup] = `import (\n${[...new Set([...known.split('\n'), ...group.split('\n')])].join('\n')}\n)`
      continue
    }
    const [, start, names = '', module] = named.exec(statement) ?? []
    const same = all.findIndex((one) => {
      const found = named.exec(one)
      return module !== undefined && found?.[1] === start && found?.[3] === module
    })
    if (same === -1) {
      // Python takes it from nowhere but the first line.
      if (/^from __future__ /.test(statement)) all.unshift(statement)
      else all.push(statement)
      continue
    }
    const both = [...namesIn(named.exec(all[same]!)![2]!), ...namesIn(names)]
    all[same] = `${start}{ ${[...new Set(both)].join(', ')} }${module}`
  }
  return all.flatMap((statement) => statement.split('\n'))
}

function namesIn(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

function count(line: string, pattern: RegExp): number {
  return [...line.matchAll(pattern)].length
}
