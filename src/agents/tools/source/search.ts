/** Finds lines in the files of the commit that an agent reads. */
import { z } from 'zod'
import { oneLine } from '../../../rules/text/one-line.ts'
import { shortenEnd } from '../shorten.ts'
import { done, type SourceTool } from '../tool.ts'

const maxMatches = 100
const longestLine = 300

const input = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(1000)
    .describe('a regular expression (Perl-compatible), matched line by line; or plain text'),
  path: z.string().optional().describe('the folder or file to search in; left out, the whole project'),
  ending: z.string().max(100).optional().describe('only files whose name ends so, such as .ts'),
  ignore_case: z.boolean().optional(),
})

export const searchSource: SourceTool<z.infer<typeof input>> = {
  name: 'search',
  description: `Finds lines in the text files of the project: path:line: text, at most ${maxMatches} of them.`,
  input,
  summary: ({ pattern, path }) => `search ${oneLine(pattern, 100)}${path ? ` in ${path}` : ''}`,
  async use({ pattern, path = '', ending = '', ignore_case = false }, { source, signal }) {
    const query = { pattern, folder: path, ending, ignoreCase: ignore_case, limit: maxMatches }
    const { matches, cut } = await source.search(query, signal)
    if (matches.length === 0) return done('no match')
    const lines = matches.map((match) => `${match.path}:${match.line}: ${shortenEnd(match.text, longestLine)}`)
    return done([...lines, ...(cut ? [`[only the first ${maxMatches} matches are shown]`] : [])].join('\n'))
  },
}
