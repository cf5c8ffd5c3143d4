/** Shows which commit last changed each line of a file. */
import { z } from 'zod'
import { done, type SourceTool } from '../tool.ts'

const maxLines = 200

const input = z.strictObject({
  path: z.string().describe('relative to the project'),
  from: z.int().min(1).optional().describe('the first line, counted from 1'),
  lines: z.int().min(1).max(maxLines).optional().describe(`how many lines; ${maxLines} unless given`),
})

export const sourceBlame: SourceTool<z.infer<typeof input>> = {
  name: 'blame',
  description:
    'Shows for each line of a file the commit that last changed it: number, commit, date, author, subject, line.',
  input,
  summary: ({ path, from }) => `blame ${path}${from ? ` from line ${from}` : ''}`,
  reads: ({ path }) => path,
  async use({ path, from = 1, lines = maxLines }, { source, signal }) {
    return done(await source.blame({ path, from, lines }, signal))
  },
}
