/** Finds the tests of a file that could not be loaded, in its text. A light look, not a parser. */
import type { Title } from './test-report.ts'

export function titlesInSource(source: string, file: string): Title[] {
  if (/\.[cm]?[jt]sx?$/.test(file)) return javascriptTitles(source)
  if (file.endsWith('.py')) return pythonTitles(source)
  if (file.endsWith('.go')) return goTitles(source)
  if (file.endsWith('.rs')) return rustTitles(source)
  return []
}

const call =
  /(?<![\w$.])(describe|suite|context|it|test|specify)(?:\.[a-zA-Z]+(?:\([^()]*\))?)*\s*\(\s*(['"`])((?:\\[\s\S]|(?!\2)[^\\])*)\2/g

function javascriptTitles(source: string): Title[] {
  const code = blanked(source)
  const calls = [...source.matchAll(call)]
    // In a comment or a string it is no call.
    .filter((match) => code[match.index] === match[1]![0])
    .map((match) => ({
      isGroup: /^(?:describe|suite|context)$/.test(match[1]!),
      title: match[3]!.replace(/\\(['"`\\])/g, '$1'),
      start: match.index,
      end: closing(code, source.indexOf('(', match.index + match[1]!.length)),
    }))
  return calls
    .filter(({ isGroup }) => !isGroup)
    .map(({ title, start }) => {
      const groups = calls.filter((each) => each.isGroup && each.start < start && start < each.end)
      return { name: title, groups: groups.map((each) => each.title) }
    })
}

/** The same text with comments and strings blanked out, so that brackets can be counted. */
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
  const functions = source.matchAll(/^func (Test\w*)\(\w+ \*testing\.T\)/gm)
  return [...functions].map((match) => ({ name: match[1]!, groups: [] }))
}

function rustTitles(source: string): Title[] {
  const modules = [...source.matchAll(/\bmod\s+(\w+)\s*\{/g)].map((match) => match[1]!)
  const groups = source.includes('#[cfg(test)]') ? modules.slice(-1) : []
  const functions = source.matchAll(
    /#\[(?:\w+::)*test\b[^\]]*\](?:\s*#\[[^\]]*\])*\s*(?:pub\s+)?(?:async\s+)?fn\s+(\w+)/g,
  )
  return [...functions].map((match) => ({ name: match[1]!, groups }))
}
