import { describe, expect, it } from 'vitest'
import { python } from '../syntax/syntax.fixture.ts'
import { declaredSymbols } from './declared-symbols.ts'
import { filePurpose } from './file-purpose.ts'

describe('filePurpose', () => {
  it.each([
    [
      'a.ts',
      '#!/usr/bin/env node\n/* Copyright 2020 */\n/** Reads rows. And more.\n * @module rows */\n',
      'Reads rows.',
    ],
    ['a.js', "'use strict'\n// eslint-disable-next-line\nmodule.exports = 1\n", ''],
    ['a.js', '// Splits text\n// into words.\nconst a = 1\n', 'Splits text into words.'],
    [
      'a.ts',
      '/** Inner. */\nconst a = 1\n/** Not it. */\nfunction b() {}\n/** Adds. */\nexport const c = 1\n',
      'Inner.',
    ],
    [
      'a.d.ts',
      'type A = {\n  /** A member. */\n  b: 1\n}\n/** Formats a span. */\nexport default function f(): string\n',
      'Formats a span.',
    ],
    ['a.py', '# -*- coding: utf-8 -*-\n"""Parses dates.\n\nLong text."""\nimport os\n', 'Parses dates.'],
    ['a.go', '// Package a counts words.\npackage a\n', 'Package a counts words.'],
    ['lib.rs', '//! A queue.\nuse std::io;\n', 'A queue.'],
    ['README.md', '<p>x</p>\n\n# The title\n', 'The title'],
    ['package.json', '{"description": "Counts words."}', 'Counts words.'],
    ['package.json', '{broken', ''],
  ])('[RD14] of %s: %j', (path, text, purpose) => {
    expect(filePurpose(path, text)).toBe(purpose)
  })
})

describe('declaredSymbols', () => {
  it('[RD14] finds a member below the class that it belongs to', () => {
    const text = [
      'class First(Exception):',
      '    def __init__(',
      '        self,',
      '        payload: str = "",',
      '    ) -> None:',
      '        self.payload = payload',
      '',
      'class Second(Exception):',
      '    payload: str = ""',
      '',
      '    def __init__(self) -> None:',
      '        pass',
    ].join('\n')
    const lines = Object.fromEntries(declaredSymbols(python(text), text).map(({ name, line }) => [name, line]))
    expect(lines).toMatchObject({ First: 1, 'First.__init__': 2, Second: 8, 'Second.__init__': 11 })
  })

  it('[RD14] reads exports from lines where there is no syntax tree', () => {
    const of = (language: string, text: string) =>
      declaredSymbols({ file: 'a', language, parsed: false, symbols: [], imports: [] }, text).map(
        ({ line, signature }) => `${line} ${signature}`,
      )
    expect(of('go', 'package a\nfunc Parse(s string) (int, error) {\nfunc inner() {\ntype Row struct {\n')).toEqual([
      '2 func Parse(s string) (int, error)',
      '4 type Row',
    ])
    expect(of('rust', 'pub fn parse(s: &str) -> u8 {\nfn inner() {}\npub struct Row;\n')).toEqual([
      '1 pub fn parse(s: &str) -> u8',
      '3 pub struct Row',
    ])
    expect(of('typescript', 'export const a = 1\nexport async function b(c: string): void {\nconst d = 1\n')).toEqual([
      '1 a',
      '2 b(c: string): void',
    ])
    expect(of('javascript', 'class Row {\nexports.Row = Row\nmodule.exports.parse = (a) => a\n')).toEqual([
      '1 class Row',
      '2 Row',
      '3 parse',
    ])
    expect(of('brainfuck', '+++')).toEqual([])
  })
})
