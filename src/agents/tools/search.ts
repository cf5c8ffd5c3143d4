/** The tool that finds text in files. Patterns are untrusted, so they run in a thread that can be terminated. */
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { oneLine } from '../../rules/text/one-line.ts'
import { locateFile, locateFolder } from './list.ts'
import type { SearchOrder, SearchOutcome } from './search-worker.ts'
import { done, refused, type ToolDeps, type WorkspaceTool } from './tool.ts'

/** Some patterns would run practically forever on a line of thirty characters. */
const longestMs = 10_000
const maxMatches = 200

const input = z.strictObject({
  pattern: z.string().min(1).max(1000).describe('a regular expression (JavaScript), matched line by line'),
  path: z.string().optional().describe('the folder or file to search in; left out, the whole project'),
  ending: z.string().max(100).optional().describe('only files whose name ends so, such as .ts'),
  ignore_case: z.boolean().optional(),
})

export const search = searchWithin(longestMs)

export function searchWithin(milliseconds: number): WorkspaceTool<z.infer<typeof input>> {
  return {
    name: 'search',
    description: `Finds lines in the text files of the project: path:line: text, at most ${maxMatches} of them.`,
    input,
    summary: ({ pattern, path }) => `search ${oneLine(pattern, 100)}${path ? ` in ${path}` : ''}`,
    async use({ pattern, path = '', ending = '', ignore_case = false }, { workspace, signal }) {
      const place = (await locateFile(workspace.folder, path)) ?? (await locateFolder(workspace.folder, path))
      if (!place.ok) return refused(place.problem)
      const source = isExpression(pattern) ? pattern : RegExp.escape(pattern)
      const order = { ...place, source, ignoreCase: ignore_case, ending, maxMatches }
      const outcome = await searchInThread(order, signal, milliseconds)
      if (outcome === 'too-slow')
        return refused(
          `the search was ended after ${milliseconds / 1000} s; use a simpler pattern, a folder or an ending`,
        )
      const { lines, files, cut } = outcome
      if (lines.length === 0) return done(`no match in ${files} files`)
      return done([...lines, ...(cut ? [`[only the first ${maxMatches} matches are shown]`] : [])].join('\n'))
    },
  }
}

function isExpression(pattern: string): boolean {
  try {
    new RegExp(pattern)
    return true
  } catch {
    return false
  }
}

async function searchInThread(
  order: SearchOrder,
  signal: ToolDeps['signal'],
  milliseconds: number,
): Promise<SearchOutcome | 'too-slow'> {
  signal.throwIfAborted()
  const worker = new Worker(workerFile, { workerData: order, resourceLimits: { maxOldGenerationSizeMb: 256 } })
  const { promise, resolve, reject } = Promise.withResolvers<SearchOutcome | 'too-slow'>()
  const timer = setTimeout(resolve, milliseconds, 'too-slow')
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', () => reject(new Error('the search ended before it was finished')))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}

/** The worker beside this file, with this file's extension: the package ships JavaScript. */
const workerFile = new URL(`./search-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)
