/** The history that leads to a commit, for agents: log, diff and blame, confined to the project's folder. */
import { isBinary } from '../../rules/text/is-binary.ts'
import { GitFailed, runGit } from '../git/git.ts'
import type { Repository } from '../git/repository.ts'
import { type RedactText, redactLines } from './redacted-lines.ts'
import { confinedPath, type TreeFiles } from './tree-files.ts'

const maxBytes = 200_000
const longestMs = 20_000
/** Of the commits that a diff spans. */
const mostMessages = 20
const mostBodyLines = 12
const longestBodyLine = 300
const separator = '\x1e'
const trailer = /^(?:signed-off-by|co-authored-by|reviewed-by|change-id): /i

export class History {
  readonly #repository: Repository
  readonly #commit: string
  readonly #files: TreeFiles
  readonly #redact: RedactText

  constructor(repository: Repository, commit: string, files: TreeFiles, redact: RedactText) {
    this.#repository = repository
    this.#commit = commit
    this.#files = files
    this.#redact = redact
  }

  async log({ path, count }: { path?: string; count: number }, signal: AbortSignal): Promise<string> {
    return (await this.#messages({ range: this.#commit, count, path }, signal)) || 'no commit'
  }

  /** Subjects with their bodies: why a commit was made is often said only there. */
  async #messages(
    { range, count, path }: { range: string; count: number; path: string | undefined },
    signal: AbortSignal,
  ): Promise<string> {
    const format = ['--date=short', '--no-show-signature', '--no-color', `--format=%h %ad %an: %s%n%b${separator}`]
    const output = await this.#git(['log', ...format, `-n${count}`, range, '--', ...this.#paths(path)], signal)
    const lines = output.split(separator).flatMap((one) => messageLines(one.trim()))
    return redactLines(lines, this.#redact).join('\n')
  }

  /**
   * From one commit to another, `HEAD` unless given, behind the messages of the commits between them. Both lie in the history
   * of the commit that agents see.
   */
  async diff({ from, to, path }: { from: string; to?: string; path?: string }, signal: AbortSignal): Promise<string> {
    const [old, fresh] = await Promise.all([
      this.#reachable(from),
      to === undefined ? this.#commit : this.#reachable(to),
    ])
    const { prefix } = this.#repository
    const shape = [
      '-p',
      '-r',
      '-M',
      '--stat',
      '--no-ext-diff',
      '--no-textconv',
      '--no-color',
      ...(prefix ? [`--relative=${prefix}`] : []),
    ]
    const [output, messages] = await Promise.all([
      this.#git(['diff-tree', ...shape, old, fresh, '--', ...this.#paths(path)], signal),
      this.#messages({ range: `${old}..${fresh}`, count: mostMessages, path }, signal),
    ])
    const diff = redactDiff(output.trimEnd(), this.#redact)
    return [messages, diff].filter(Boolean).join('\n\n') || 'no difference'
  }

  async blame(
    { path, from, lines }: { path: string; from: number; lines: number },
    signal: AbortSignal,
  ): Promise<string> {
    const { file, text } = await this.#files.text(path)
    const all = text.split('\n')
    if (all.at(-1) === '') all.pop()
    if (from > all.length) throw new Error(`the file has ${all.length} lines`)
    const last = Math.min(all.length, from + lines - 1)
    const range = ['-L', `${from},${last}`, '--line-porcelain', this.#commit]
    const output = await this.#git(
      ['blame', '--no-textconv', ...range, '--', this.#repository.prefix + file.path],
      signal,
    )
    const shown = redactLines(all, this.#redact)
    return readBlame(output)
      .map((origin, index) => `${from + index}\t${origin}\t${shown[from + index - 1]}`)
      .join('\n')
  }

  /** Any name of a commit in the history of the one that agents see: a hash, `HEAD~3`, a tag, a branch. */
  async #reachable(name: string): Promise<string> {
    const known = name.startsWith('-') ? null : await this.#repository.resolve(name.replace(/^HEAD\b/, this.#commit))
    if (known === null) throw new Error(`there is no commit "${name}"`)
    if (!(await this.#repository.isAncestor(known, this.#commit)))
      throw new Error(`the commit "${name}" is not in the history of HEAD`)
    return known
  }

  /** A path that no longer exists is fine here: history knows it. */
  #paths(path: string | undefined): string[] {
    const below = this.#repository.prefix + (path === undefined ? '' : confinedPath(path))
    return [...(below === '' ? [] : [`:(top,literal)${below}`]), ':(top,exclude,glob)**/.convene/**']
  }

  async #git(args: string[], signal: AbortSignal): Promise<string> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
    try {
      const answer = await runGit(args, { folder: this.#repository.root, maxBytes, signal: limit })
      if (answer.code !== 0) throw new GitFailed(args, this.#repository.root, answer)
      if (isBinary(answer.output)) throw new Error('the output is not text')
      const text = answer.output.toString('utf8').toWellFormed()
      return answer.cut ? `${text.slice(0, text.lastIndexOf('\n') + 1)}[cut: name a path, or a smaller range]` : text
    } catch (error) {
      signal.throwIfAborted()
      if (limit.aborted) throw new Error(`git was ended after ${longestMs / 1000} s; name a path, or a smaller range`)
      if (error instanceof GitFailed) throw new Error(error.complaint.split('\n')[0])
      throw error
    }
  }
}

/** The subject, and the body indented below it; a long body is cut. */
function messageLines(message: string): string[] {
  const [subject = '', ...rest] = message.split('\n')
  if (subject === '') return []
  const body = rest.map((line) => line.trimEnd()).filter((line) => line !== '' && !trailer.test(line))
  const shown = body.slice(0, mostBodyLines).map((line) => `    ${line.slice(0, longestBodyLine)}`)
  return [subject, ...shown, ...(body.length > shown.length ? [`    … ${body.length - shown.length} more lines`] : [])]
}

/** Each line of a hunk carries a sign, which would hide a secret that spans several lines. */
function redactDiff(diff: string, redact: RedactText): string {
  const lines = diff.split('\n')
  const signs = lines.map((line) => /^[ +-](?!\+\+ |-- )/.exec(line)?.[0] ?? '')
  const bare = lines.map((line, index) => line.slice(signs[index]!.length))
  return redactLines(bare, redact)
    .map((line, index) => signs[index]! + line)
    .join('\n')
}

/** Of `blame --line-porcelain`: per line a header, facts, and the text after a tab. */
function readBlame(output: string): string[] {
  const origins: string[] = []
  let commit = ''
  let author = ''
  let day = ''
  let subject = ''
  for (const line of output.split('\n')) {
    if (line.startsWith('\t')) origins.push(`${commit} ${day} ${author}: ${subject}`)
    else if (/^[0-9a-f]{40,64} \d+ \d+/.test(line)) commit = line.slice(0, 8)
    else if (line.startsWith('author ')) author = line.slice(7)
    else if (line.startsWith('author-time ')) day = new Date(Number(line.slice(12)) * 1000).toISOString().slice(0, 10)
    else if (line.startsWith('summary ')) subject = line.slice(8)
  }
  return origins
}
