/** What a goal names in code, and where the project declares it: first in what planners read. SPEC.md § RD14. */
import { oneLine } from '../text/one-line.ts'

const most = 12
const longest = 160

/** A regular expression for lines that declare one of these names. Null without names. */
export function declarationPattern(names: readonly string[]): string | null {
  const plain = [...new Set(names.map((name) => name.split(/[.#]/).at(-1)!))].filter((name) => /^[\w$]{3,}$/.test(name))
  if (plain.length === 0) return null
  const any = `(?:${plain
    .slice(0, most)
    .map((name) => name.replaceAll('$', '\\$'))
    .join('|')})`
  const words = 'function\\*?|const|let|var|class|interface|type|enum|def|fn|func|fun|struct|trait|module'
  const method = `^\\s+(?:(?:async|static|public|private|protected|get|set)\\s+)*${any}\\s*\\([^;]*\\{\\s*$`
  return `\\b(?:${words})\\s+(?:\\([^)]*\\)\\s*)?${any}(?![\\w$])|${method}`
}

/** Empty if nothing was found. */
export function namedSection(found: readonly { path: string; line: number; text: string }[]): string {
  if (found.length === 0) return ''
  const lines = found
    .slice(0, most)
    .map(({ path, line, text }) => `- ${path}:${line}: ${oneLine(text.trim(), longest)}`)
  return `## Named in the request\n${lines.join('\n')}`
}
