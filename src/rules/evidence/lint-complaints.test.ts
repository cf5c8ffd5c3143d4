import { expect, it } from 'vitest'
import { complaintsIn, linesAbout, newComplaints } from './lint-complaints.ts'

const xo = `
  src/a.js:3:5
  ✖   3:5   Missing semicolon.  semi
  ✖   9:1   File has 301 lines.  max-lines

  src/b.js:1:1
  ✖   1:1   Unexpected var.  no-var
`

it('[VF4] finds the complaints of a linter, each with its file', () => {
  expect(complaintsIn(xo)).toEqual([
    { file: 'src/a.js', kind: 'Missing semicolon. (semi)', shown: 'src/a.js:3 Missing semicolon. (semi)' },
    { file: 'src/a.js', kind: 'File has N lines. (max-lines)', shown: 'src/a.js:9 File has 301 lines. (max-lines)' },
    { file: 'src/b.js', kind: 'Unexpected var. (no-var)', shown: 'src/b.js:1 Unexpected var. (no-var)' },
  ])
  expect(complaintsIn('src/a.ts(3,5): error TS2304: Cannot find name')).toMatchObject([{ file: 'src/a.ts' }])
  const eclint = 'settings.yaml\n    06:01 ❌ invalid indent size: 2, expected: 4\n          (EditorConfig indent_size)'
  expect(complaintsIn(eclint)).toMatchObject([{ shown: 'settings.yaml:6 invalid indent size: 2, expected: 4' }])
  expect(complaintsIn('ok 1 - adds\n12:30 lunch')).toEqual([])
})

it('[VF4] of endless output the first thousand count, and lines of source code are none', () => {
  const line = `  3:5  error  Missing semicolon  semi`
  expect(complaintsIn(`src/a.js\n${`${line}\n`.repeat(100_000)}`)).toHaveLength(1000)
  expect(complaintsIn(`src/a.js\n  3:5  ${' '.repeat(100_000)}x\n  12:30 lunch is at  noon!`)).toEqual([])
})

it('[VF4] a linter that fails anyway excuses no new fault in what the work changed', () => {
  const isChanged = (file: string) => file === 'src/a.js'
  const after = complaintsIn(xo)
  const before = complaintsIn('src/a.js\n  1:1  error  File has 299 lines.  max-lines')
  expect(newComplaints(after, before, isChanged).map(({ shown }) => shown)).toEqual([
    'src/a.js:3 Missing semicolon. (semi)',
  ])
  expect(newComplaints(after, after, isChanged)).toEqual([])
})

it('[VF4] nor one of a kind that it had before, in the same file or another', () => {
  const at = (...places: string[]) =>
    complaintsIn(places.map((place) => `${place}:1: Unexpected var (no-var)`).join('\n'))
  const fresh = (before: string[], after: string[]) =>
    newComplaints(at(...after), at(...before), (file) => file !== 'src/old.js').map(({ shown }) => shown.split(': ')[0])
  expect(fresh(['src/a.js:1'], ['src/a.js:1', 'src/a.js:7'])).toEqual(['src/a.js:7:1'])
  expect(fresh(['src/old.js:1'], ['src/old.js:1', 'src/a.js:1'])).toEqual(['src/a.js:1:1'])
  expect(fresh(['src/a.js:1', 'src/a.js:2'], ['src/a.js:5', 'src/a.js:6']), 'moved down').toEqual([])
  expect(fresh(['src/a.js:1'], ['src/b.js:1']), 'moved to another file').toEqual([])
  expect(fresh([], ['src/old.js:1']), 'nothing that the work changed').toEqual([])
})

it('[VF4] of a checker whose form is unknown, the lines about changed files count', () => {
  const isChanged = (file: string) => file === 'src/a.js'
  const said = [
    'src/a.js: no var',
    'src/b.js: no var',
    'checking src/a.js',
    'ok src/a.js',
    'Error: no such folder',
  ].join('\n')
  expect(linesAbout(said, isChanged).map(({ shown }) => shown)).toEqual(['src/a.js: no var'])
})
