/** Shows what files of the commit that an agent reads declare for others. */
import { z } from 'zod'
import { done, type SourceTool } from '../tool.ts'

const input = z.strictObject({
  path: z.string().optional().describe('a file or a folder; left out, the whole project'),
})

export const sourceSymbols: SourceTool<z.infer<typeof input>> = {
  name: 'symbols',
  description: 'Shows the exported functions, classes, types and constants of a file or folder: line, signature.',
  input,
  summary: ({ path }) => `symbols of ${path || '.'}`,
  async use({ path = '' }, { source }) {
    const { files, cut } = await source.symbols(path)
    if (files.length === 0) return done('nothing is exported, or the language is not known')
    const blocks = files.map(({ path: file, symbols }) => {
      const lines = symbols.map(({ line, kind, signature }) => `  ${line ?? '?'}\t${kind}\t${signature}`)
      return [file, ...lines].join('\n')
    })
    return done([...blocks, ...(cut ? ['[more files: name a folder]'] : [])].join('\n'))
  },
}
