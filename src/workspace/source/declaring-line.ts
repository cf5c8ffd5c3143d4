/** Finds the line that declares a symbol. The syntax tree names symbols but keeps no positions. */

export interface Declared {
  /** `Class.member` for a member. */
  name: string
  signature: string
}

/** The lines of all symbols of a file, in their order. Of overloads, each gets its own; undefined where none is found. */
export function declaringLines(
  symbols: readonly Declared[],
  lines: readonly string[],
  isPython: boolean,
): (number | undefined)[] {
  const code = withoutComments(lines, isPython)
  const known = new Map<string, number>()
  const seen = new Map<string, number>()
  return symbols.map(({ name, signature }) => {
    const found = linesOf(name, signature, { code, isPython, known })
    const key = `${name} ${accessorOf(signature)}`
    // The first of a list of overloads stands for all of them.
    const nth = seen.get(key) ?? 0
    if (!signature.endsWith('(overloads)')) seen.set(key, nth + 1)
    const line = found[Math.min(nth, found.length - 1)]
    if (line !== undefined && !known.has(name)) known.set(name, line)
    return line === undefined ? undefined : line + 1
  })
}

interface Places {
  code: readonly string[]
  isPython: boolean
  /** The lines of symbols that came before. */
  known: ReadonlyMap<string, number>
}

function linesOf(name: string, signature: string, { code, isPython, known }: Places): number[] {
  const dot = name.lastIndexOf('.')
  const own = name.slice(dot + 1)
  if (!/^[\w$]+$/.test(own)) return []
  const word = `(?<![\\w$.])${own.replaceAll('$', '\\$')}(?![\\w$])`
  const owner = dot < 0 ? undefined : known.get(name.slice(0, dot))
  if (owner !== undefined) {
    const accessor = accessorOf(signature)
    const inside = bodyOf(owner, code, isPython)
    const patterns = isPython
      ? [`^\\s*(?:async\\s+)?(?:def|class)\\s+${word}`, `^\\s*${word}\\s*[:=]`]
      : [`^\\s*(?:[a-z]+\\s+)*${accessor ? `${accessor}\\s+` : ''}[*#]?${word}\\s*(?:[(<=:?!;,]|$)`]
    const members = firstOf(patterns, inside.members, code)
    // A parameter of the constructor may be a field.
    return members.length > 0 ? members : firstOf([`${word}\\s*[?:=]`], inside.all, code).slice(0, 1)
  }
  const all = code.map((_, index) => index)
  const top = all.filter((index) => indentOf(code[index]!) === 0)
  if (isPython) return firstOf([`^(?:async\\s+)?(?:def|class)\\s+${word}`, `^${word}\\s*[:=]`], top, code)
  const keyword = `\\b(?:function\\*?|class|const|let|var|interface|type|enum|namespace)\\s+${word}`
  const declared = firstOf([`^(?!import\\b|export\\s*\\{|export\\s+type\\s*\\{).*${keyword}`], top, code)
  if (declared.length > 0) return declared
  return firstOf(
    [`exports\\.${word}|^${word}\\s*[(<=:?]`, `^export\\s+(?:type\\s+)?\\{.*${word}`, keyword, word],
    all,
    code,
  ).slice(0, 1)
}

/** The indices that match the first pattern that any of them matches. */
function firstOf(patterns: readonly string[], among: readonly number[], code: readonly string[]): number[] {
  for (const pattern of patterns) {
    const test = new RegExp(pattern)
    const found = among.filter((index) => test.test(code[index]!))
    if (found.length > 0) return found
  }
  return []
}

/** The lines below a declaration that belong to it; members are those at the outermost level. */
function bodyOf(owner: number, code: readonly string[], isPython: boolean): { all: number[]; members: number[] } {
  const level = indentOf(code[owner]!)
  const all: number[] = []
  for (let index = owner + 1; index < code.length; index++) {
    const line = code[index]!
    if (line.trim() === '') continue
    if (indentOf(line) <= level && (isPython || /^\s*[}\])]/.test(line))) break
    all.push(index)
  }
  const inner = Math.min(...all.map((index) => indentOf(code[index]!)).filter((indent) => indent > level))
  return { all, members: all.filter((index) => indentOf(code[index]!) === inner) }
}

function accessorOf(signature: string): string {
  return /^(?:static )?(get|set) /.exec(signature)?.[1] ?? ''
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

/** Lines of comments become empty: they may speak of what is declared elsewhere. */
function withoutComments(lines: readonly string[], isPython: boolean): string[] {
  let isInside = false
  return lines.map((line) => {
    if (isPython) return /^\s*#/.test(line) ? '' : line
    if (isInside) {
      isInside = !line.includes('*/')
      return ''
    }
    if (/^\s*\/\*/.test(line)) isInside = !line.includes('*/')
    return /^\s*(?:\/\/|\/\*)/.test(line) ? '' : line
  })
}
