/** Lists the files of the commit that an agent reads. */
import { z } from 'zod'
import type { SourceEntry } from '../../../kernel/project-source.ts'
import { done, type SourceTool } from '../tool.ts'

const maxEntries = 500

const input = z.strictObject({
  path: z.string().optional().describe('the folder; left out, the whole project'),
  depth: z.int().min(1).max(20).optional().describe('how many levels of folders to show; 3 unless given'),
})

export const listSource: SourceTool<z.infer<typeof input>> = {
  name: 'list',
  description: 'Lists the files and folders of the project, with sizes in bytes.',
  input,
  summary: ({ path }) => `list ${path || '.'}`,
  async use({ path = '', depth = 3 }, { source }) {
    const entries = await source.list(path, depth)
    const lines = entries.slice(0, maxEntries).map(describe)
    if (entries.length > maxEntries)
      lines.push(`[${maxEntries} of ${entries.length} entries are shown; list one folder, or a smaller depth]`)
    return done(lines.join('\n') || '(empty)')
  },
}

function describe({ path, kind, size, closed }: SourceEntry): string {
  if (kind === 'folder') return `${path}/${closed ? ` (${size} ${size === 1 ? 'file' : 'files'})` : ''}`
  return kind === 'file' ? `${path} ${size}` : `${path} (${kind})`
}
