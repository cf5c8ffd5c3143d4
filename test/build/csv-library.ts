/** A small TypeScript library to build: three parts in two levels, as an author would divide it. */
import type { Part } from './rehearsed-part.ts'

const criteria = {
  document: { id: 'document', text: 'a document with a header line becomes one row a line' },
  fields: { id: 'fields', text: 'a line is split at its delimiter, but not inside quotes' },
  quotes: { id: 'quotes', text: 'quotes around a field go, and a doubled quote in it stands for one' },
  rows: { id: 'rows', text: 'a record becomes a row by the names of the header; what is missing is empty' },
}

const testing = `import assert from 'node:assert/strict'\nimport { test } from 'node:test'\n`

const unquote: Part = {
  spec: {
    id: 'unquote',
    description: 'Takes the quotes off a field',
    acceptanceCriteria: [criteria.quotes],
    targetPath: 'src/unquote.ts',
    testPath: 'test/unquote.test.ts',
  },
  interfaceFile: 'src/unquote.ts',
  contract: 'contract/unquote.test.ts',
  tests: { quotes: 'a quoted field loses its quotes' },
  scaffold: {
    'src/unquote.ts': `export function unquote(field: string, quote: string): string {
  throw new Error('not implemented')
}
`,
    'contract/unquote.test.ts': `${testing}import { unquote } from '../src/unquote.ts'
test('a plain field stays as it is', () => { assert.equal(unquote('plain', '"'), 'plain') })
`,
  },
  testFiles: {
    'test/unquote.test.ts': `${testing}import { unquote } from '../src/unquote.ts'

test('a quoted field loses its quotes', () => {
  assert.equal(unquote('"say ""hello"""', '"'), 'say "hello"')
  assert.equal(unquote("'it''s'", "'"), "it's")
})
`,
  },
  code: {
    'src/unquote.ts': `/** Leaves a field alone that is not quoted at both ends. */
export function unquote(field: string, quote: string): string {
  const isQuoted = field.length >= 2 && field.startsWith(quote) && field.endsWith(quote)
  return isQuoted ? field.slice(1, -1).replaceAll(quote + quote, quote) : field
}
`,
  },
}

const fields: Part = {
  spec: {
    id: 'fields',
    description: 'Splits a line into fields',
    acceptanceCriteria: [criteria.fields, criteria.quotes],
    targetPath: 'src/fields.ts',
    testPath: 'test/fields.test.ts',
  },
  interfaceFile: 'src/fields.ts',
  contract: 'contract/fields.test.ts',
  tests: { fields: 'a delimiter inside quotes does not split' },
  scaffold: {
    'src/fields.ts': `import type { Dialect } from './types.ts'

export function splitFields(line: string, dialect: Dialect): string[] {
  throw new Error('not implemented')
}
`,
    'contract/fields.test.ts': `${testing}import { splitFields } from '../src/fields.ts'
test('quotes: a quoted field comes without its quotes', () => {
  assert.deepEqual(splitFields('"a",b', { delimiter: ',', quote: '"' }), ['a', 'b'])
})
`,
  },
  testFiles: {
    'test/fields.test.ts': `${testing}import { splitFields } from '../src/fields.ts'

test('a delimiter inside quotes does not split', () => {
  assert.deepEqual(splitFields('1;"2;3";4', { delimiter: ';', quote: '"' }), ['1', '2;3', '4'])
})
`,
  },
  code: {
    'src/fields.ts': `import type { Dialect } from './types.ts'
import { unquote } from './unquote.ts'

export function splitFields(line: string, { delimiter, quote }: Dialect): string[] {
  const found: string[] = []
  let start = 0
  let inside = false
  for (let at = 0; at <= line.length; at++) {
    if (line[at] === quote) inside = !inside
    if (at < line.length && (inside || line[at] !== delimiter)) continue
    found.push(unquote(line.slice(start, at), quote))
    start = at + 1
  }
  return found
}
`,
  },
  parts: [unquote],
}

const rows: Part = {
  spec: {
    id: 'rows',
    description: 'Makes rows of records',
    acceptanceCriteria: [criteria.rows],
    targetPath: 'src/rows.ts',
    testPath: 'test/rows.test.ts',
  },
  interfaceFile: 'src/rows.ts',
  contract: 'contract/rows.test.ts',
  tests: { rows: 'a short record is filled up' },
  scaffold: {
    'src/rows.ts': `import type { Row } from './types.ts'

export function toRows<Name extends string>(header: readonly Name[], records: Iterable<readonly string[]>): Row<Name>[] {
  throw new Error('not implemented')
}
`,
    'contract/rows.test.ts': `${testing}import { toRows } from '../src/rows.ts'
test('no records, no rows', () => { assert.deepEqual(toRows(['a'], []), []) })
`,
  },
  testFiles: {
    'test/rows.test.ts': `${testing}import { toRows } from '../src/rows.ts'

test('a short record is filled up', () => {
  assert.deepEqual(toRows(['a', 'b'] as const, [['1', '2'], ['3']]), [{ a: '1', b: '2' }, { a: '3', b: '' }])
})
`,
  },
  code: {
    'src/rows.ts': `import type { Row } from './types.ts'

export function toRows<Name extends string>(header: readonly Name[], records: Iterable<readonly string[]>): Row<Name>[] {
  return Array.from(records, (record) => rowOf(header, record))
}

function rowOf<Name extends string>(header: readonly Name[], record: readonly string[]): Row<Name> {
  const entries = header.map((name, index) => [name, record[index] ?? ''] as const)
  return Object.fromEntries(entries) as Row<Name>
}
`,
  },
}

export const csv: Part = {
  spec: {
    id: 'csv',
    description: 'Reads comma-separated values',
    acceptanceCriteria: Object.values(criteria),
    targetPath: 'src/csv.ts',
    testPath: 'test/csv.test.ts',
  },
  interfaceFile: 'src/types.ts',
  contract: 'contract/csv.test.ts',
  tests: { document: 'a document becomes rows' },
  scaffold: {
    'src/types.ts': `export interface Dialect {
  readonly delimiter: string
  readonly quote: string
}

export type Row<Name extends string = string> = Readonly<Record<Name, string>>
`,
    'src/csv.ts': `import type { Dialect, Row } from './types.ts'

export function parseCsv(text: string, dialect?: Partial<Dialect>): Row[] {
  throw new Error('not implemented')
}
`,
    'contract/csv.test.ts': `${testing}import { parseCsv } from '../src/csv.ts'
test('fields, quotes and rows come together', () => {
  assert.deepEqual(parseCsv('a,b\\n"x,y"\\n'), [{ a: 'x,y', b: '' }])
})
`,
  },
  testFiles: {
    'test/csv.test.ts': `${testing}import { parseCsv } from '../src/csv.ts'

test('a document becomes rows', () => {
  assert.deepEqual(parseCsv('name;age\\r\\nAda;36\\r\\n', { delimiter: ';' }), [{ name: 'Ada', age: '36' }])
  assert.deepEqual(parseCsv(''), [])
})
`,
  },
  code: {
    'src/csv.ts': `import { splitFields } from './fields.ts'
import { toRows } from './rows.ts'
import type { Dialect, Row } from './types.ts'

const usual: Dialect = { delimiter: ',', quote: '"' }

export function parseCsv(text: string, dialect?: Partial<Dialect>): Row[] {
  const spoken = { ...usual, ...dialect }
  const [header, ...records] = text
    .split(/\\r?\\n/)
    .filter((line) => line !== '')
    .map((line) => splitFields(line, spoken))
  return header ? toRows(header, records) : []
}
`,
  },
  parts: [fields, rows],
}
