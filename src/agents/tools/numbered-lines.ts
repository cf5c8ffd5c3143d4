/** Shows a range of a text's lines, each with its number, within limits. */
import { shortenEnd } from './shorten.ts'
import { done, refused, type ToolAnswer } from './tool.ts'

export const maxLines = 1000
const mostCharacters = 40_000
const longestLine = 2000

export function numberedLines(text: string, from = 1, lines = maxLines): ToolAnswer {
  const all = linesOf(text)
  if (all.length === 0) return done('(the file is empty)')
  if (from > all.length) return refused(`the file has ${all.length} lines`)
  const shown: string[] = []
  let characters = 0
  for (const line of all.slice(from - 1, from - 1 + Math.min(lines, maxLines))) {
    const numbered = `${from + shown.length}\t${shortenEnd(line, longestLine)}`
    characters += numbered.length + 1
    if (characters > mostCharacters) break
    shown.push(numbered)
  }
  const last = from + shown.length - 1
  if (from > 1 || last < all.length) shown.push(`[lines ${from} to ${last} of ${all.length}]`)
  return done(shown.join('\n'))
}

function linesOf(text: string): string[] {
  const lines = text.toWellFormed().split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
