/** The tool that shows a text file, or a range of its lines. */
import { z } from 'zod'
import { shortenEnd } from './shorten.ts'
import { readText } from './text-file.ts'
import { done, refused, type WorkspaceTool } from './tool.ts'

const maxLines = 1000
const mostCharacters = 40_000
const longestLine = 2000

const input = z.strictObject({
  path: z.string().describe('relative to the project'),
  from: z.int().min(1).optional().describe('the first line, counted from 1'),
  lines: z.int().min(1).optional().describe(`how many lines; at most ${maxLines}`),
})

export const read: WorkspaceTool<z.infer<typeof input>> = {
  name: 'read',
  description:
    'Shows a text file. Each line is preceded by its number and a tab, which are not part of the file. ' +
    'Long files are shown in part: ask for the next lines with from.',
  input,
  summary: ({ path, from, lines }) =>
    `read ${path}${from || lines ? ` from line ${from ?? 1}${lines ? `, ${lines} lines` : ''}` : ''}`,
  async use({ path, from = 1, lines = maxLines }, { workspace }) {
    const all = linesOf(await readText(workspace, path))
    if (all.length === 0) return done('(the file is empty)')
    if (from > all.length) return refused(`the file has ${all.length} lines`)
    const shown: string[] = []
    let characters = 0
    for (const line of all.slice(from - 1, from - 1 + Math.min(lines, maxLines))) {
      const text = `${from + shown.length}\t${shortenEnd(line, longestLine)}`
      characters += text.length + 1
      if (characters > mostCharacters) break
      shown.push(text)
    }
    const last = from + shown.length - 1
    if (from > 1 || last < all.length) shown.push(`[lines ${from} to ${last} of ${all.length}]`)
    return done(shown.join('\n'))
  },
}

function linesOf(text: string): string[] {
  const lines = text.toWellFormed().split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
