import { describe, expect, it } from 'vitest'
import { alwaysEqual, testLibraryProblems } from './test-library.ts'

describe('non-test code and the test library', () => {
  it.each([
    ['a patched assert', 'a.js', "import assert from 'node:assert'\nassert.equal = () => {}"],
    ['a patched strict assert', 'a.ts', "import assert from 'node:assert/strict'\nassert.strict.deepEqual = () => {}"],
    ['a required assert', 'a.cjs', "const assert = require('assert')\nassert['equal'] = () => {}"],
    ['a method of the required library', 'a.cjs', "require('assert').ok = () => {}"],
    ['an alias', 'a.js', "import assert from 'assert'\nconst a = assert\na.ok = () => {}"],
    ['Object.assign', 'a.js', "import * as assert from 'node:assert'\nObject.assign(assert, { equal() {} })"],
    ['defineProperty', 'a.js', "import assert from 'assert'\nObject.defineProperty(assert, 'equal', { value() {} })"],
    [
      'a spy',
      'a.js',
      "import assert from 'assert'\nimport { mock } from 'node:test'\nmock.method(assert, 'equal', () => {})",
    ],
    ['new matchers', 'a.js', "import { expect } from 'vitest'\nexpect.extend({ toBe() { return { pass: true } } })"],
    ['a plugin of chai', 'a.js', "import chai from 'chai'\nchai.use((c) => {})"],
    ['a matcher as a value', 'a.js', "import { expect } from 'vitest'\nexport const inc = () => expect.anything()"],
    ['a global', 'a.js', 'globalThis.expect = () => ({ toBe() {} })'],
    ['Object.is', 'a.js', 'Object.is = () => true'],
    ['the module loader', 'a.cjs', "const Module = require('module')\nModule._load = () => ({})"],
    ['a dynamic import', 'a.js', "const assert = await import('node:assert')\nassert.default.equal = () => {}"],
    ['TestCase', 'a.py', 'import unittest\nunittest.TestCase.assertEqual = lambda *a: None'],
    ['TestCase by name', 'a.py', 'from unittest import TestCase as T\nT.assertEqual = lambda *a: None'],
    ['setattr', 'a.py', 'import unittest\nsetattr(unittest.TestCase, "assertEqual", print)'],
    ['_pytest', 'a.py', 'import _pytest.python\n_pytest.python.Function.runtest = lambda s: None'],
    ['_pytest by from', 'a.py', 'from _pytest import runner\n'],
    ['pytest.raises', 'a.py', 'import pytest\npytest.raises = None'],
    ['sys.modules', 'a.py', "import sys\nsys.modules['unittest'] = object()"],
    ['mock.ANY', 'a.py', 'from unittest.mock import ANY\ndef inc(x):\n    return ANY'],
    ['mock.ANY through its module', 'a.py', 'from unittest import mock\ndef inc(x):\n    return mock.ANY'],
    ['a builtin', 'a.py', 'import builtins\nbuiltins.AssertionError = Exception'],
  ])('[TR7] refuses %s', (_, path, text) => {
    expect(testLibraryProblems(path, text)).not.toEqual([])
  })

  it.each([
    ['assertions in code', 'a.js', "import assert from 'node:assert'\nassert.ok(true)\nassert.equal(1, 1)"],
    [
      'assert as a guard',
      'a.ts',
      "import { ok as ensure } from 'node:assert'\nexport const f = (x: unknown) => ensure(x)",
    ],
    ['a comparison', 'a.js', "import assert from 'assert'\nif (assert.equal === undefined) throw new Error()"],
    ['a test helper that calls', 'a.py', 'import unittest\nclass Base(unittest.TestCase):\n    limit = 3\n'],
    ['a doctest runner', 'a.py', 'import doctest\ndoctest.testmod()'],
    ['words in a comment', 'a.js', "import assert from 'assert'\n// assert.equal = nothing\nassert.ok(1)"],
    ['a property of its own', 'a.js', "import assert from 'assert'\nthis.assert = assert\nstate.assert.x = 1"],
    ['an option called expect', 'a.js', 'const options = { expect: 1 }\noptions.expect = 2'],
    ['a library named like one', 'a.js', "import chaiLike from './chai.js'\nchaiLike.use(1)"],
  ])('[TR7] accepts %s', (_, path, text) => {
    expect(testLibraryProblems(path, text)).toEqual([])
  })

  it.each([
    ['a.py', 'class A:\n    def __eq__(self, other):\n        return True\n', true],
    [
      'a.py',
      'class A:\n    def __eq__(self, other) -> bool:\n        """Equal."""\n        return True  # always\n',
      true,
    ],
    ['a.py', 'class A:\n    __eq__ = lambda self, other: True\n', true],
    ['a.py', 'class A:\n    def __eq__(self, other):\n        return self.x == other.x\n', false],
    [
      'a.py',
      'class A:\n    def __eq__(self, other):\n        if self is other:\n            return True\n        return self.x == other.x\n',
      false,
    ],
    ['a.js', 'export class A { asymmetricMatch() { return true } }', true],
    ['a.js', 'export const a = { asymmetricMatch: () => true }', true],
    ['a.js', 'export const a = { asymmetricMatch: (x) => x.length > 2 }', false],
    ['support.js', 'expect.extend({ toBeRight() { return { pass: true, message: () => "" } } })', true],
    ['support.js', 'expect.extend({ toBeRight(x) { return { pass: x > 1, message: () => "" } } })', false],
  ])('[TR7] finds equality that always holds (%s: %s)', (path, text, isRefused) => {
    expect(alwaysEqual(path, text).length > 0).toBe(isRefused)
  })
})

it('[TR7] settings of tools may ask for the runner, and a type of a function of the same name is no question', () => {
  expect(testLibraryProblems('vite.config.ts', 'export default { a: process.env.VITEST ? 1 : 2 }')).toEqual([])
  expect(testLibraryProblems('src/a.ts', 'export type Describe = typeof describe')).toEqual([])
  expect(testLibraryProblems('src/a.ts', "if (typeof describe !== 'undefined') cheat()")).toHaveLength(1)
})

it.each([
  ['src/a.js', "export const a = process.env.npm_lifecycle_event === 'test' ? 2 : 1"],
  ['src/a.js', "export const a = process.execArgv.some((one) => one === '--test') ? 2 : 1"],
  ['a.py', "import sys\nA = 2 if 'unittest' in sys.modules else 1"],
  ['a.py', "import sys\nA = 2 if sys.modules.get('pytest') else 1"],
])('[TR7] finds code that asks in another way whether it is tested (%s: %s)', (path, text) => {
  expect(testLibraryProblems(path, text)).toEqual([expect.stringContaining('asks whether a test runner runs it')])
})

it.each([
  ['src/a.js', "export const stage = process.env.NODE_ENV === 'test' ? 'test' : 'live'"],
  ['src/a.js', "spawn(process.execPath, [...process.execArgv, 'worker.js'])"],
  ['settings.py', "import sys\nTESTING = 'test' in sys.argv"],
  ['a.py', "import sys\nif 'yaml' in sys.modules:\n    pass"],
])('[TR7] leaves code alone that asks about its environment (%s: %s)', (path, text) => {
  expect(testLibraryProblems(path, text)).toEqual([])
})
