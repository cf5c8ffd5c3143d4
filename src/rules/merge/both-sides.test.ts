import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bothSides } from './both-sides.ts'

const conflict = (ours: string[], ancestor: string[], theirs: string[]) => [
  '<<<<<<< ours',
  ...ours,
  '||||||| base',
  ...ancestor,
  '=======',
  ...theirs,
  '>>>>>>> theirs',
]
const text = (...lines: string[]) => bothSides(lines.join('\n')).text.split('\n')

it('[GR2] keeps the lines of both sides, and everything around them', () => {
  expect(text('a', ...conflict(['b'], [], ['c']), '=======', 'd', '')).toEqual(['a', 'b', 'c', '=======', 'd', ''])
  expect(text('a', '>>> b', '')).toEqual(['a', '>>> b', ''])
})

it('[GR2] knows the markers in a file with Windows line ends, and a line of equals signs', () => {
  const windows = ['a', ...conflict(['b'], [], ['c']), 'd', ''].join('\r\n')
  expect(bothSides(windows)).toEqual({ text: 'a\r\nb\r\nc\r\nd\r\n', overlaps: false })
  expect(text(...conflict(['Heading', '======='], [], ['c']))).toEqual(['Heading', '=======', 'c'])
})

it('[GR2] loses no line where a marker is missing', () => {
  const cut = ['a', ...conflict(['b'], [], ['c']).slice(0, -1), 'd'].join('\n')
  expect(bothSides(cut)).toEqual({ text: 'a\nb\nc\nd', overlaps: true })
})

it('[GR2] says that both sides changed the same lines, and leaves out what they started from', () => {
  const both = bothSides(conflict(['b'], ['old'], ['c']).join('\n'))
  expect(both).toEqual({ text: 'b\nc', overlaps: true })
  expect(bothSides(conflict(['b'], [''], ['c']).join('\n')).overlaps).toBe(false)
})

it('[GR2] writes the imports of two new files once, in front', () => {
  const ours = ["import { it } from 'vitest'", "import { a } from './a.ts'", '', "it('a', () => {", '})']
  const theirs = [
    'import {',
    '  expect,',
    '  it,',
    "} from 'vitest'",
    '// Its own.',
    "import b from './b.ts'",
    '',
    "it('b', () => {",
    '})',
  ]
  expect(text(...conflict(ours, [], theirs))).toEqual([
    "import { it, expect } from 'vitest'",
    "import { a } from './a.ts'",
    '// Its own.',
    "import b from './b.ts'",
    '',
    "it('a', () => {",
    '})',
    '',
    "it('b', () => {",
    '})',
  ])
})

it('[GR2] knows the imports of other languages', () => {
  const python = text(
    ...conflict(
      ['import pytest', '', 'def test_a():', '    pass'],
      [],
      ['from __future__ import annotations', 'import pytest', '', 'def test_b():'],
    ),
  )
  expect(python.slice(0, 2)).toEqual(['from __future__ import annotations', 'import pytest'])
  expect(python.filter((line) => line === 'import pytest')).toHaveLength(1)
  const go = (...packages: string[]) => [
    'package lists',
    '',
    'import (',
    ...packages.map((one) => `\t"${one}"`),
    ')',
    '',
    'x()',
  ]
  expect(text(...conflict(go('fmt', 'testing'), [], go('strings', 'testing'))).slice(0, 6)).toEqual([
    ...['package lists', 'import (', '\t"fmt"', '\t"testing"', '\t"strings"', ')'],
  ])
  const tape = (name: string) => [`'use strict';`, `var test = require('tape');`, `test('${name}', run);`]
  expect(text(...conflict(tape('a'), [], tape('b')))).toEqual([...tape('a'), '', "test('b', run);"])
})

it('[GR2] loses no line that is no import, whatever both sides are', () => {
  const lines = fc.array(
    fc.constantFrom('a', '', 'import x', "import { b } from 'c'", '}', '// c', 'it(() => {', '})'),
    {
      maxLength: 12,
    },
  )
  fc.assert(
    fc.property(lines, lines, (ours, theirs) => {
      const kept = text(...conflict(ours, [], theirs))
      for (const line of ['a', 'it(() => {', '})'])
        expect(kept.filter((one) => one === line)).toHaveLength(
          [...ours, ...theirs].filter((one) => one === line).length,
        )
    }),
  )
  // What closes more than it opened is no import.
  const odd = ['import {', '})']
  expect(text(...conflict(odd, [], odd)).filter((line) => line === '})')).toHaveLength(2)
})
