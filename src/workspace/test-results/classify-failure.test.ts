import { describe, expect, it } from 'vitest'
import { classifyFailure } from './classify-failure.ts'

describe('why a test failed', () => {
  it.each([
    ['AssertionError: expected 3 to be 4 // Object.is equality', 'assertion'],
    ['AssertionError [ERR_ASSERTION]: 3 == 4', 'assertion'],
    ["AssertionError: expected [Function] to throw 'not implemented'", 'assertion'],
    ['Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 4', 'assertion'],
    ['assert.strictEqual(received, expected)\n\nExpected value to strictly be equal to:', 'assertion'],
    ['Error: Snapshot `a 1` mismatched', 'assertion'],
    ['org.opentest4j.AssertionFailedError: expected: <4> but was: <3>', 'assertion'],
    ['assertion `left == right` failed\n  left: 3', 'assertion'],
    ["Failed: DID NOT RAISE <class 'ValueError'>", 'assertion'],
    ['E   assert 3 == 4', 'assertion'],
    ['Error: sub is not implemented\n    at sub (src/math.js:2:34)', 'not-implemented'],
    ['NotImplementedError: sub', 'not-implemented'],
    ['NotImplementedError', 'not-implemented'],
    ['not yet implemented', 'not-implemented'],
    ['panic: not implemented [recovered]', 'not-implemented'],
    ['java.lang.UnsupportedOperationException: Not implemented', 'not-implemented'],
    ["TypeError: Cannot read properties of null (reading 'x')", 'error'],
    ['Error: Test timed out in 5000ms.', 'failed'],
    ['thrown: "Exceeded timeout of 5000 ms for a test.', 'failed'],
    ['Error: Timeout of 2000ms exceeded. For async tests and hooks, ensure "done()" is called', 'failed'],
    ['test timed out after 1000ms', 'failed'],
    ['Promise resolution is still pending but the event loop has already resolved', 'failed'],
    ['Promise returned by test never resolved', 'failed'],
    ['test exited without ending: waits for idle', 'failed'],
    ['TimeoutError: locator.click: Timeout 1000ms exceeded.', 'failed'],
    ['TimeoutError', 'failed'],
    ['AssertionError: expected it to have timed out', 'assertion'],
    ['    # must have timed out by then\n>   foo(None + 1)\nE   TypeError: unsupported operand', 'error'],
    ['def test_a():\n>   wait()\nE   TimeoutError', 'failed'],
    ["SyntaxError: Unexpected identifier 'timed out'", 'error'],
    ['Error: Hook timed out in 10000ms.', 'error'],
    ['Error: connect ETIMEDOUT 10.0.0.1:443', 'error'],
    ["KeyError: 'x'", 'error'],
    ['TypeError: x is undefined\n    at notImplemented (/project/not implemented.js:1:1)', 'error'],
    ['index out of bounds: the len is 0 but the index is 0', 'error'],
    ['', 'failed'],
    [undefined, 'failed'],
  ])('%j is %s', (text, outcome) => {
    expect(classifyFailure(text)).toEqual({ outcome })
  })

  it('is an assertion if the runner says so, unless the text is more specific', () => {
    expect(classifyFailure('got 3, want 4', true)).toEqual({ outcome: 'assertion' })
    expect(classifyFailure('', true)).toEqual({ outcome: 'assertion' })
    expect(classifyFailure('NotImplementedError: sub', true)).toEqual({ outcome: 'not-implemented' })
  })

  it.each([
    [
      "Cannot find module '../src/parser.ts' imported from /project/test/a.test.ts",
      { language: 'javascript', specifier: '../src/parser.ts', importer: '/project/test/a.test.ts' },
    ],
    [
      "Cannot find module '../src/parser' from 'test/a.test.js'\n\n    > 1 | const x",
      { language: 'javascript', specifier: '../src/parser', importer: 'test/a.test.js' },
    ],
    [
      "Error: Cannot find module './parser'\nRequire stack:\n- /project/test/a.cjs\n    at Module._load",
      { language: 'javascript', specifier: './parser', importer: '/project/test/a.cjs' },
    ],
    [
      'Error: Failed to load url ./parser.ts (resolved id: ./parser.ts) in /project/a.test.ts. Does the file exist?',
      { language: 'javascript', specifier: './parser.ts', importer: '/project/a.test.ts' },
    ],
    [
      'Error: Failed to resolve import "./parser" from "src/a.test.ts". Does the file exist?',
      { language: 'javascript', specifier: './parser', importer: 'src/a.test.ts' },
    ],
    [
      "file:///project/a.mjs:2\nimport { x } from './b.mjs'\n         ^\nSyntaxError: The requested module './b.mjs' does not provide an export named 'x'",
      { language: 'javascript', specifier: './b.mjs', importer: '/project/a.mjs', name: 'x' },
    ],
    ['TypeError: (0 , __vite_ssr_import_1__.parse) is not a function', { language: 'javascript-name', name: 'parse' }],
    ['TypeError: (0 , parse) is not a function', { language: 'javascript-name', name: 'parse' }],
    ["E   ModuleNotFoundError: No module named 'app.parser'", { language: 'python', module: 'app.parser' }],
    [
      "ImportError: cannot import name 'parse' from 'app.parser' (/project/app/parser.py)",
      { language: 'python', module: 'app.parser', file: '/project/app/parser.py', name: 'parse' },
    ],
    [
      'o_test.go:2:20: no required module provides package m/parser; to add it:',
      { language: 'go', package: 'm/parser' },
    ],
    ['error[E0432]: unresolved import `calc::parser`', { language: 'rust', path: 'calc::parser' }],
  ])('%j is an import error, with the missing name', (text, module) => {
    expect(classifyFailure(text)).toEqual({ outcome: 'import-error', module })
  })

  it('is an import error without a name for a package', () => {
    expect(classifyFailure("Error: Cannot find package 'left-pad' imported from /project/a.mjs")).toEqual({
      outcome: 'import-error',
    })
  })
})
