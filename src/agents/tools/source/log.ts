/** Shows the commits that led to the commit an agent reads. */
import { z } from 'zod'
import { done, type SourceTool } from '../tool.ts'

const input = z.strictObject({
  path: z.string().optional().describe('only commits that changed this file or folder'),
  count: z.int().min(1).max(200).optional().describe('how many; 20 unless given'),
})

export const sourceLog: SourceTool<z.infer<typeof input>> = {
  name: 'log',
  description: 'Shows the last commits, newest first: hash, date, author, subject, and the body below it.',
  input,
  summary: ({ path }) => `log${path ? ` of ${path}` : ''}`,
  async use({ path, count = 20 }, { source, signal }) {
    return done(await source.log({ ...(path ? { path } : {}), count }, signal))
  },
}
