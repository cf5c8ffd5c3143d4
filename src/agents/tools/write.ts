/** The tool that writes a whole file. */
import { z } from 'zod'
import { writeText } from './text-file.ts'
import { done, type WorkspaceTool } from './tool.ts'

const input = z.strictObject({
  path: z.string().describe('relative to the project; missing folders are made'),
  content: z.string().describe('the whole file'),
})

export const write: WorkspaceTool<z.infer<typeof input>> = {
  name: 'write',
  description: 'Writes a file: a new one, or all of an existing one. To change a part of a file use edit.',
  input,
  summary: ({ path, content }) => `write ${path} (${content.length} characters)`,
  async use({ path, content }, { workspace }) {
    await writeText(workspace, path, content)
    return done(`wrote ${path}`)
  },
}
