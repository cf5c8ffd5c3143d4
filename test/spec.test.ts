/** Compares SPEC.md with the tests in both directions: every rule id has a test, and every test id has a rule. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ruleNames } from '../src/rules/catalogue.ts'

const root = resolve(import.meta.dirname, '..')
const specification = readFileSync(join(root, 'SPEC.md'), 'utf8')
const specified = new Set([...specification.matchAll(/^- \*\*([A-Z]{2}\d+)\*\*/gm)].map((match) => match[1]!))
const titles = [...walk(join(root, 'src')), ...walk(join(root, 'test'))]
  .filter((file) => file.endsWith('.test.ts') && !file.endsWith('spec.test.ts'))
  .flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\b(?:it|test)(?:\.\w+)*(?:\([^'"`]*?\))?\(\s*['"`](\[[^\n]*)/g)].map(
      (match) => match[1]!,
    ),
  )
const tested = new Set(
  titles.flatMap((title) =>
    [...(/^(\[[A-Z]{2}\d+\]\s*)+/.exec(title)?.[0] ?? '').matchAll(/[A-Z]{2}\d+/g)].map((match) => match[0]),
  ),
)

describe('the rulebook', () => {
  it('finds the rules and the tests whose titles begin with an id', () => {
    expect(specified.size).toBeGreaterThan(40)
    expect(titles.length).toBeGreaterThan(100)
  })

  it('has a test for every rule id', () => {
    expect([...specified].filter((id) => !tested.has(id))).toEqual([])
  })

  it('has a rule for every id that a test names', () => {
    expect([...tested].filter((id) => !specified.has(id))).toEqual([])
  })

  it('names every rule that `convene decide` can run', () => {
    expect(ruleNames.filter((name) => !specification.includes(`convene decide ${name}`))).toEqual([])
  })
})

describe('docs/measurements.md', () => {
  const text = readFileSync(join(root, 'docs/measurements.md'), 'utf8')
  const rows = [...text.matchAll(/^\| [^|]+ \| ([^|]+) \| `([^`]+\.test\.ts)` \|$/gm)]

  it('names tests that exist for what must hold', () => {
    expect(rows.length).toBeGreaterThan(20)
    const isMissing = ([, title, file]: RegExpExecArray) => !readFileSync(join(root, file!), 'utf8').includes(title!)
    expect(rows.filter(isMissing).map(([row]) => row)).toEqual([])
  })
})

function walk(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? walk(path) : [path]
  })
}
