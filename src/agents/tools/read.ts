/** The tool that shows a text file, or a range of its lines. */
import { z } from 'zod'
import { maxLines, numberedLines } from './numbered-lines.ts'
import { readText } from './text-file.ts'
import type { WorkspaceTool } from './tool.ts'

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
  async use({ path, from, lines }, { workspace }) {
    return numberedLines(await readText(workspace, path), from, lines)
  },
}
