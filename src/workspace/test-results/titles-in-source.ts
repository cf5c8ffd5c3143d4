/** Finds the tests of a file that could not be loaded, by scanning its text. Not a full parser. */
import type { Title } from './test-report.ts'

export function titlesInSource(source: string, file: string): Title[] {
  if (/\.[cm]?[jt]sx?$/.test(file)) return javascriptTitles(source)
  if (file.endsWith('.py')) return pythonTitles(source)
  if (file.endsWith('.go')) return goTitles(source)
  if (file.endsWith('.rs')) return rustTitles(source)
  return []
}

const callee = /(?<![\w$.])(?:(?:tap|t)\.(?=test))?(describe|suite|context|it|test|specify)(?![\w$])/g
const members = /(?:\.[a-zA-Z]+)+/y
const blanks = /\s*/y
const titled = /\(\s*(['"`])((?:\\[\s\S]|(?!\1)[^\\])*)\1/y

function javascriptTitles(source: string): Title[] {
  // Ignore matches in comments and strings.
  const code = blanked(source)
  const calls = [...code.matchAll(callee)].flatMap(({ 0: { length }, 1: name = '', index }) => {
    const open = titleAfter(source, code, index + length)
    if (!open) return []
    const isGroup = /^(?:describe|suite|context)$/.test(name)
    return [{ isGroup, title: open.title, start: index, end: closing(code, open.at) }]
  })
  return calls
    .filter(({ isGroup }) => !isGroup)
    .map(({ title, start }) => {
      const groups = calls.filter((each) => each.isGroup && each.start < start && start < each.end)
      return { name: title, groups: groups.map((each) => each.title) }
    })
}

/** The call with the title: `it.each(…)` and `it.skipIf(…)` come before it, the former also as a tagged template. */
function titleAfter(source: string, code: string, from: number): { title: string; at: number } | undefined {
  let at = from
  for (;;) {
    const words = matchAt(members, code, at)?.[0] ?? ''
    // A template literal is blanked out here.
    at += words.length + matchAt(blanks, code, at + words.length)![0].length
    const title = matchAt(titled, source, at)?.[2]
    if (title !== undefined) return { title: title.replace(/\\(['"`\\])/g, '$1'), at }
    if (code[at] !== '(' || words === '') return undefined
    at = closing(code, at) + 1
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** The text with comments and strings blanked out, so that brackets can be matched. */
function blanked(source: string): string {
  const pattern = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|(['"])(?:\\[\s\S]|(?!\1)[^\\\n])*\1|`(?:\\[\s\S]|[^\\`])*`/g
  return source.replace(pattern, (match) => match.replace(/[^\n]/g, ' '))
}

function closing(code: string, open: number): number {
  let depth = 0
  for (let index = open; index < code.length; index++) {
    if (code[index] === '(') depth++
    else if (code[index] === ')' && --depth === 0) return index
  }
  return code.length
}

function pythonTitles(source: string): Title[] {
  const classes: { indent: number; name: string }[] = []
  const titles: Title[] = []
  for (const line of source.split('\n')) {
    const match = /^(\s*)(?:(class)|(?:async\s+)?def)\s+(\w+)/.exec(line)
    if (!match) continue
    const [, spaces = '', isClass, name = ''] = match
    while ((classes.at(-1)?.indent ?? -1) >= spaces.length) classes.pop()
    if (isClass) classes.push({ indent: spaces.length, name })
    else if (/^test/.test(name)) titles.push({ name, groups: classes.map((each) => each.name) })
  }
  return titles
}

function goTitles(source: string): Title[] {
  const functions = source.matchAll(/^func (?:((?:Test|Fuzz)\w*)\(\w+ \*testing\.[TF]\)|(Example\w*)\(\))/gm)
  return [...functions].map(([, test, example]) => ({ name: test ?? example!, groups: [] }))
}

function rustTitles(source: string): Title[] {
  const modules = [...source.matchAll(/\bmod\s+(\w+)\s*\{/g)].map((match) => match[1]!)
  const groups = source.includes('#[cfg(test)]') ? modules.slice(-1) : []
  const functions = source.matchAll(
    /#\[(?:\w+::)*test\b[^\]]*\](?:\s*#\[[^\]]*\])*\s*(?:pub\s+)?(?:async\s+)?fn\s+(\w+)/g,
  )
  return [...functions].map((match) => ({ name: match[1]!, groups }))
}
