import { expect, it } from 'vitest'
import { complaintsIn, newComplaints } from './lint-complaints.ts'

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
  expect(complaintsIn('ok 1 - adds\n12:30 lunch')).toEqual([])
})

it('[VF4] a linter that fails anyway excuses no new kind of fault in what the work changed', () => {
  const isChanged = (file: string) => file === 'src/a.js'
  const after = complaintsIn(xo)
  const before = complaintsIn('src/c.js\n  1:1  error  File has 299 lines.  max-lines')
  expect(newComplaints(after, before, isChanged).map(({ shown }) => shown)).toEqual([
    'src/a.js:3 Missing semicolon. (semi)',
  ])
  expect(newComplaints(after, after, isChanged)).toEqual([])
})
