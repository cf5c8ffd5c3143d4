/** Shows a file of the commit that an agent reads, or a range of its lines. */
import { z } from 'zod'
import { maxLines, numberedLines } from '../numbered-lines.ts'
import type { SourceTool } from '../tool.ts'

const input = z.strictObject({
  path: z.string().describe('relative to the project'),
  from: z.int().min(1).optional().describe('the first line, counted from 1'),
  lines: z.int().min(1).optional().describe(`how many lines; at most ${maxLines}`),
})

export const readSource: SourceTool<z.infer<typeof input>> = {
  name: 'read',
  description:
    'Shows a text file of the project. Each line is preceded by its number and a tab, which are not part of the file. ' +
    'Long files are shown in part: ask for the next lines with from.',
  input,
  summary: ({ path, from, lines }) =>
    `read ${path}${from || lines ? ` from line ${from ?? 1}${lines ? `, ${lines} lines` : ''}` : ''}`,
  reads: ({ path }) => path,
  async use({ path, from, lines }, { source }) {
    return numberedLines(await source.read(path), from, lines)
  },
}
