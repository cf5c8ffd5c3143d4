/** Searches the files of a tree with git, which reads objects and never a checkout. */
import type { SourceMatch, SourceQuery } from '../../kernel/project-source.ts'
import { GitFailed, runGit } from '../git/git.ts'
import { type RedactText, redactLines } from './redacted-lines.ts'
import { isHidden, type TreeFiles } from './tree-files.ts'

/** A pattern can run for very long on one line. */
const longestMs = 10_000
const maxBytes = 4_000_000

export async function searchTree(
  place: { repository: string; tree: string; files: TreeFiles; redact: RedactText },
  query: SourceQuery,
  signal: AbortSignal,
): Promise<{ matches: SourceMatch[]; cut: boolean }> {
  const { repository, tree, files, redact } = place
  const inFolder = await files.folder(query.folder).catch((error) => {
    if (query.folder === '') throw error
    return null
  })
  // A file is searched whatever its ending.
  const where =
    inFolder === null
      ? { folder: (await files.file(query.folder)).path, ending: '' }
      : { folder: inFolder, ending: query.ending }
  const found = await grep(repository, tree, { ...query, ...where }, signal)
  const matches = found.lines.filter(({ path }) => !isHidden(path) && path.endsWith(where.ending))
  const cut = found.cut || matches.length > query.limit
  return { matches: await redactMatches(matches.slice(0, query.limit), files, redact), cut }
}

interface Found {
  lines: SourceMatch[]
  cut: boolean
}

async function grep(repository: string, tree: string, query: SourceQuery, signal: AbortSignal): Promise<Found> {
  const { pattern, folder, ignoreCase, ending } = query
  const paths =
    ending === ''
      ? literal(folder)
      : [`:(glob)${escapeGlob(folder === '' ? '' : `${folder}/`)}**/*${escapeGlob(ending)}`]
  const rest = [...(ignoreCase ? ['-i'] : []), '-e', pattern, tree, '--', ...paths]
  const limit = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
  const run = (way: string) => {
    const args = ['grep', '-I', '-n', '-z', '--no-color', '--full-name', '--max-count=200', way, ...rest]
    return runGit(args, { folder: repository, maxBytes, signal: limit }).then((answer) => ({ args, answer }))
  }
  try {
    let { args, answer } = await run('-P')
    // A git without Perl-compatible expressions, or a pattern that is not one.
    if (answer.code > 1 && /USE_LIBPCRE/.test(answer.complaint)) ({ args, answer } = await run('-E'))
    if (answer.code > 1) ({ args, answer } = await run('-F'))
    if (answer.code > 1) throw new GitFailed(args, repository, answer)
    return { lines: readMatches(answer.output.toString('utf8'), tree), cut: answer.cut }
  } catch (error) {
    signal.throwIfAborted()
    if (!limit.aborted) throw error
    throw new Error(`the search was ended after ${longestMs / 1000} s; use a simpler pattern, a folder or an ending`)
  }
}

function literal(folder: string): string[] {
  return folder === '' ? [] : [`:(literal)${folder}`]
}

function escapeGlob(text: string): string {
  return text.replace(/[*?[\]\\]/g, '\\$&')
}

/** Of `grep -n -z <tree>`: `<tree>:<path>\0<line>\0<text>\n`. */
function readMatches(output: string, tree: string): SourceMatch[] {
  return output.split('\n').flatMap((row): SourceMatch[] => {
    const [path = '', line = '', ...text] = row.split('\0')
    if (text.length === 0) return []
    return [
      {
        path: path.slice(tree.length + 1),
        line: Number(line),
        text: text.join('\0').replace(/\r$/, '').toWellFormed(),
      },
    ]
  })
}

/** Takes the lines from the redacted file: one line of a private key looks like no secret. */
async function redactMatches(matches: SourceMatch[], files: TreeFiles, redact: RedactText): Promise<SourceMatch[]> {
  const shown = new Map<string, string[] | null>()
  for (const { path } of matches) {
    if (shown.has(path)) continue
    const text = await files.text(path).then(
      (read) => read.text,
      () => null,
    )
    const changed = text === null || redact(text) === text ? null : redactLines(text.split('\n'), redact)
    shown.set(path, changed)
  }
  return matches.map((match) => {
    const lines = shown.get(match.path)
    return lines ? { ...match, text: lines[match.line - 1] ?? '[redacted]' } : { ...match, text: redact(match.text) }
  })
}
