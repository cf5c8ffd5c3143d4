/** Searches in a worker thread, which can be terminated in the middle of a match. */
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { isBinary } from '../../rules/text/is-binary.ts'
import { shortenEnd } from './shorten.ts'
import { walk } from './walk.ts'

export interface SearchOrder {
  root: string
  start: string
  /** `start` is a file: it is searched whatever its ending. */
  isFile?: boolean
  source: string
  ignoreCase: boolean
  ending: string
  maxMatches: number
}

export interface SearchOutcome {
  lines: string[]
  /** How many files were searched. */
  files: number
  /** There are more matches than requested. */
  cut: boolean
}

const maxFileSize = 1_000_000
const longestLine = 300

parentPort?.postMessage(search(workerData as SearchOrder))

function search({ root, start, isFile, source, ignoreCase, ending, maxMatches }: SearchOrder): SearchOutcome {
  const expression = new RegExp(source, ignoreCase ? 'i' : '')
  const lines: string[] = []
  let files = 0
  for (const { path, kind } of isFile ? [{ path: start, kind: 'file' }] : walk(root, start)) {
    if (kind !== 'file' || !(isFile || path.endsWith(ending))) continue
    const text = textOf(join(root, path))
    if (text === null) continue
    files++
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      if (!expression.test(line)) continue
      if (lines.length === maxMatches) return { lines, files, cut: true }
      lines.push(`${path}:${index + 1}: ${shortenEnd(line, longestLine)}`)
    }
  }
  return { lines, files, cut: false }
}

function textOf(file: string): string | null {
  try {
    const stats = lstatSync(file)
    if (!stats.isFile() || stats.size > maxFileSize) return null
    const bytes = readFileSync(file)
    return isBinary(bytes) ? null : bytes.toString('utf8').toWellFormed()
  } catch {
    return null
  }
}
