import { expect, it } from 'vitest'
import { notedTests } from './noted-tests.ts'

const issues = [
  'Add `duplicates` to parse(): each rule in each format, as a table of rows',
  'Add `parameterLimit` to parse()',
  'Types in base.d.ts',
]
const by = (text: string) => notedTests([{ member: 'judge-edge-cases', text }], issues).map(({ length }) => length)

it('[PH4] what a panel member misses becomes a test of the issue that it concerns', () => {
  const text = 'Make the edge cases rows of the table:\n a&a=1 with each rule, =1&=2.'
  expect(notedTests([{ member: 'judge-edge-cases', text }], issues)).toEqual([
    ['noted as missing by judge-edge-cases: Make the edge cases rows of the table: a&a=1 with each rule, =1&=2.'],
    [],
    [],
  ])
  expect(by('parameterLimit of 0 has no row')).toEqual([0, 1, 0])
  expect(by('Nothing compiles base.d.ts')).toEqual([0, 0, 1])
  expect(by('Umlauts?')).toEqual([1, 0, 0])
  expect(notedTests([{ member: 'a', text: 'x' }], [])).toEqual([])
})
