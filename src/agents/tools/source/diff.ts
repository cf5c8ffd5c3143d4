/** Shows what changed between two commits. */
import { z } from 'zod'
import { shortenEnd } from '../shorten.ts'
import { done, type SourceTool } from '../tool.ts'

const mostCharacters = 30_000

const input = z.strictObject({
  from: z.string().min(1).max(200).describe('the older commit: a hash, a tag or HEAD~3'),
  to: z.string().min(1).max(200).optional().describe('the newer commit; left out, HEAD'),
  path: z.string().optional().describe('only this file or folder'),
})

export const sourceDiff: SourceTool<z.infer<typeof input>> = {
  name: 'diff',
  description: 'Shows what changed between two commits: the messages of the commits between them, then a unified diff.',
  input,
  summary: ({ from, to, path }) => `diff ${from}..${to ?? 'HEAD'}${path ? ` of ${path}` : ''}`,
  async use({ from, to, path }, { source, signal }) {
    const query = { from, ...(to ? { to } : {}), ...(path ? { path } : {}) }
    return done(shortenEnd(await source.diff(query, signal), mostCharacters))
  },
}
