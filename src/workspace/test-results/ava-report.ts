/** Reads the TAP of ava, which puts the file in front of a title if there are several files. */
import { basename, dirname } from 'node:path'
import { readTap } from './tap-output.ts'
import type { SeenTest, TestReport } from './test-report.ts'

const divider = /\s[›»]\s/

/** `files` are the project's code files, relative to where ava ran. */
export function readAva(text: string, files: readonly string[]): TestReport {
  const known = files.map((file) => ({ file, pieces: piecesOf(file) }))
  const report = readTap(text)
  return { ...report, tests: report.tests.map((test) => withFile(test, known)) }
}

function withFile(test: SeenTest, known: readonly { file: string; pieces: string[] }[]): SeenTest {
  const pieces = test.name.split(divider)
  for (let length = 1; length < pieces.length; length++) {
    const prefix = pieces.slice(0, length)
    const found = known.find((one) => endsWith(one.pieces, prefix))
    if (!found) continue
    const name = test.name.slice(prefix.join(' › ').length + 3)
    return { ...test, name, fullName: name, suite: [], file: found.file }
  }
  return { ...test, fullName: test.name, suite: [] }
}

/** A path as ava shortens it. */
function piecesOf(file: string): string[] {
  const name = basename(file)
    .replace(/\.spec\./, '.')
    .replace(/\.test\./, '.')
    .replace(/test-/, '')
    .replace(/\.[^.]+$/, '')
  const folders = dirname(file).split('/')
  return [...folders.filter((folder) => folder !== '.' && folder !== '__tests__'), name]
}

function endsWith(pieces: readonly string[], end: readonly string[]): boolean {
  const start = pieces.length - end.length
  return start >= 0 && end.every((piece, index) => pieces[start + index] === piece)
}
