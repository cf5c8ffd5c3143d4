import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exportedNames, reader } from './syntax.fixture.ts'
import { longestSource } from './syntax.ts'

describe('languages', () => {
  it.each([
    ['a.ts', 'typescript'],
    ['a.d.mts', 'typescript'],
    ['src/a.cts', 'typescript'],
    ['a.tsx', 'typescript'],
    ['a.JS', 'javascript'],
    ['a.mjs', 'javascript'],
    ['a.cjs', 'javascript'],
    ['a.jsx', 'javascript'],
    ['a.py', 'python'],
    ['a.pyi', 'python'],
  ])('%s is read as %s', (file, language) => {
    expect(reader.read(file, 'x')).toMatchObject({ file, language, parsed: true })
  })

  it.each([
    ['main.go', 'go'],
    ['lib.rs', 'rust'],
    ['A.java', 'java'],
    ['a.rb', 'ruby'],
    ['a.hs', 'haskell'],
    ['run.sh', 'shell'],
    ['a.cpp', 'cpp'],
    ['Makefile', 'make'],
    ['docker/Dockerfile', 'docker'],
  ])('%s is recognised as %s, and compared by lines', (file, language) => {
    expect(reader.read(file, 'a\r\nb')).toEqual({
      file,
      language,
      parsed: false,
      symbols: [],
      imports: [],
      lines: ['a', 'b'],
    })
  })

  it.each(['README.md', 'package.json', 'notes', '.gitignore', 'a.yaml', 'a.unknown'])('%s is not code', (file) => {
    expect(reader.read(file, 'a\nb')).toMatchObject({ language: null, parsed: false, lines: ['a', 'b'] })
  })

  it('of a script follow from its first line', () => {
    expect(reader.read('bin/tool', '#!/usr/bin/env node\nrun()')).toMatchObject({
      language: 'javascript',
      parsed: true,
    })
    expect(reader.read('bin/tool', '#!/usr/bin/python3\nrun()')).toMatchObject({ language: 'python', parsed: true })
    expect(reader.read('bin/tool', '#!/bin/sh\nrun')).toMatchObject({ language: 'shell', parsed: false })
  })
})

describe('unreadable sources', () => {
  it('keep their lines if they do not parse', () => {
    const facts = reader.read('a.ts', 'export functio x(\n<<<<<<< ours')
    expect(facts).toMatchObject({ language: 'typescript', parsed: false, symbols: [], lines: { length: 2 } })
    expect(reader.read('a.py', 'def f(:\n')).toMatchObject({ parsed: false, lines: { length: 2 } })
  })

  it('can still be compared if they are not text, or too long', () => {
    const of = (content: string | Buffer) => reader.read('a.ts', content)
    const binary = of(Buffer.from([0xff, 0xfe, 1]))
    expect(binary).toMatchObject({
      language: 'typescript',
      parsed: false,
      lines: [expect.stringMatching(/^sha256 \w{64}$/)],
    })
    expect(binary.lines).toEqual(of(Buffer.from([0xff, 0xfe, 1])).lines)
    expect(binary.lines).not.toEqual(of(Buffer.from([0xff, 0xfe, 2])).lines)
    expect(of('a\0b').lines).toEqual([expect.stringMatching(/^sha256/)])
    const long = `a; //${'x'.repeat(longestSource - 5)}`
    expect(of(long).parsed).toBe(true)
    expect(of(`${long}x`)).toMatchObject({ parsed: false, lines: [expect.stringMatching(/^sha256/)] })
  })

  it.each([
    ['nothing', ''],
    ['a byte order mark', '\uFEFFexport const a = 1'],
    ['a lone surrogate', 'const a = "\ud800"'],
    ['surrogate pairs', 'export const emoji = "😀"; export const 名 = 1'],
    ['strange names', 'export class constructor { __proto__() {} toString() {} }'],
  ])('do not include %s', (_, text) => {
    expect(reader.read('a.ts', text).parsed).toBe(true)
  })

  it('never throw, however deep they nest', () => {
    for (const depth of [1_000, 50_000]) {
      const facts = reader.read('a.ts', `x = ${'['.repeat(depth)}${']'.repeat(depth)}`)
      expect(facts.parsed || facts.lines !== undefined).toBe(true)
    }
    expect(reader.read('a.ts', 'export const a = 1').parsed).toBe(true)
  })

  it('have correct positions after surrogate pairs', () => {
    const facts = reader.read('a.ts', 'const e = "😀😀"; export const after = name')
    expect(facts.symbols.map(({ name, bodyTokens }) => [name, ...bodyTokens])).toEqual([
      ['e', "'😀😀'"],
      ['after', 'name'],
    ])
  })
})

describe('real sources', () => {
  const folder = join(import.meta.dirname, '../..')
  const sources = globSync('rules/**/*.ts', { cwd: folder })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => join(folder, file))

  it('all parse, and export what their lines declare', () => {
    expect(sources.length).toBeGreaterThan(50)
    for (const path of sources) {
      const [file, text] = [relative(folder, path), readFileSync(path, 'utf8')]
      const code = text.replace(/`[^`]*`/g, '``')
      const facts = reader.read(file, text)
      expect({ file, parsed: facts.parsed }).toEqual({ file, parsed: true })
      const declared = code.matchAll(
        /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type) (\w+)/gm,
      )
      const names = [...declared].map((match) => match[1]!)
      expect(exportedNames(facts), file).toEqual(expect.arrayContaining(names))
    }
  })
})
