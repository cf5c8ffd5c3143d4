/** The tool that replaces text in a file. */
import { z } from 'zod'
import { readText, writeText } from './text-file.ts'
import { done, refused, type WorkspaceTool } from './tool.ts'

const input = z.strictObject({
  path: z.string().describe('relative to the project'),
  old: z.string().describe('the text to replace, exactly as it stands in the file, without line numbers'),
  new: z.string().describe('what stands there afterwards'),
  all: z.boolean().optional().describe('replace every occurrence; left out, there must be exactly one'),
})

export const edit: WorkspaceTool<z.infer<typeof input>> = {
  name: 'edit',
  description: 'Replaces text in a file. Give enough of the surrounding lines to make the old text unique.',
  input,
  summary: ({ path }) => `edit ${path}`,
  async use({ path, old, new: fresh, all = false }, { workspace }) {
    if (old === '') return refused('the old text is empty; to write a whole file use write')
    if (old === fresh) return refused('the old and the new text are the same')
    const text = await readText(workspace, path)
    const [from, to] = text.includes(old) ? [old, fresh] : [withLineEndsOf(text, old), withLineEndsOf(text, fresh)]
    // Not `replaceAll`: it would expand `$&` in the new text.
    const parts = text.split(from)
    const count = parts.length - 1
    if (count === 0) return refused(`"${path}" does not contain the old text; read it again, every character counts`)
    if (count > 1 && !all)
      return refused(`"${path}" contains the old text ${count} times; give more of its surroundings, or set all`)
    await writeText(workspace, path, parts.join(to))
    return done(`replaced ${count} ${count === 1 ? 'place' : 'places'} in ${path}`)
  },
}

/** Models see no carriage returns, so they cannot send any. */
function withLineEndsOf(text: string, part: string): string {
  return text.includes('\r\n') ? part.replaceAll(/\r?\n/g, '\r\n') : part
}
