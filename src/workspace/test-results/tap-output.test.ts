import { describe, expect, it } from 'vitest'
import { readAva } from './ava-report.ts'
import { isTap, readTap } from './tap-output.ts'

const states = (text: string) => readTap(text).tests.map(({ fullName, state }) => `${fullName}: ${state}`)

const node = `TAP version 13
# Subtest: math
    # Subtest: adds
    ok 1 - adds
      ---
      duration_ms: 0.95
      ...
    # Subtest: deep group
        # Subtest: fails
        not ok 1 - fails
          ---
          duration_ms: 2.03
          location: '/project/a.test.mjs:8:5'
          failureType: 'testCodeFailure'
          error: |-
            Expected values to be strictly equal:
            
            3 !== 4
            
          code: 'ERR_ASSERTION'
          name: 'AssertionError'
          stack: |-
            TestContext.<anonymous> (file:///project/a.test.mjs:8:38)
          ...
        # Subtest: is a stub
        not ok 2 - is a stub
          ---
          location: '/project/a.test.mjs:9:5'
          error: 'sub is not implemented'
          code: 'ERR_TEST_FAILURE'
          ...
        1..2
    not ok 2 - deep group
      ---
      type: 'suite'
      error: '2 subtests failed'
      code: 'ERR_TEST_FAILURE'
      ...
    # Subtest: waits
    ok 3 - waits # SKIP
    # Subtest: comes later
    ok 4 - comes later # TODO
    1..4
not ok 1 - math
  ---
  type: 'suite'
  error: '1 subtest failed'
  ...
# Subtest: with \\# in it
    # Subtest: inner
    ok 1 - inner
    1..1
ok 2 - with \\# in it
  ---
  type: 'test'
  ...
# Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/project/parser.mjs' imported from /project/b.test.mjs
#     at finalizeResolution (node:internal/modules/esm/resolve:272:11)
# Node.js v24.21.0
# Subtest: b.test.mjs
not ok 3 - b.test.mjs
  ---
  type: 'test'
  failureType: 'testCodeFailure'
  error: 'test failed'
  code: 'ERR_TEST_FAILURE'
  ...
1..3
# tests 7
# pass 2
`

describe('TAP', () => {
  it('is recognised', () => {
    expect(isTap(node)).toBe(true)
    expect(isTap('ok 1 - one\n1..1\n')).toBe(true)
    expect(isTap('this is ok 1 or not\n')).toBe(false)
  })

  it('of Node gives tests with their groups, and no suites', () => {
    expect(states(node)).toEqual([
      'math adds: passed',
      'math deep group fails: failed',
      'math deep group is a stub: failed',
      'math waits: skipped',
      'math comes later: skipped',
      'with # in it inner: passed',
      'with # in it: passed',
    ])
  })

  it('of Node gives type and message of a failure, and its file', () => {
    const [, fails, stub] = readTap(node).tests
    expect(fails).toMatchObject({ file: '/project/a.test.mjs' })
    expect(fails?.failure).toBe('AssertionError: Expected values to be strictly equal:\n\n3 !== 4')
    expect(stub?.failure).toBe('sub is not implemented')
  })

  it('of Node lists files that could not be loaded, and why', () => {
    const [broken] = readTap(node).broken
    expect(broken?.file).toBe('b.test.mjs')
    expect(broken?.failure).toContain("Cannot find module '/project/parser.mjs' imported from /project/b.test.mjs")
  })

  it('of ava gives what was thrown, and files that broke', () => {
    const { tests, broken } = readAva(
      `TAP version 13
not ok 1 - Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/project/parser.mjs' imported from /project/b.test.mjs
  ---
    name: Error
    message: >-
      Cannot find module '/project/parser.mjs' imported from
      /project/b.test.mjs
  ...
not ok 2 - b.test.mjs exited with a non-zero exit code: 1
ok 3 - a › waits # SKIP
not ok 4 - a › comes later # TODO
ok 5 - a › adds
not ok 6 - a › fails
  ---
    name: AssertionError
    assertion: t.is()
    details:
      'Difference (- actual, + expected):': |-
        - 3
        + 4
    message: ''
  ...
not ok 7 - a › is a stub
  ---
    name: AssertionError
    details:
      'Error thrown in test:': |-
        TypeError {
          message: 'sub is not implemented',
        }
    message: Error thrown in test
  ...

1..6
`,
      ['a.test.mjs', 'b.test.mjs'],
    )
    expect(tests.every(({ file }) => file === 'a.test.mjs')).toBe(true)
    expect(tests.map(({ name, state, failure }) => [name, state, failure])).toEqual([
      ['waits', 'skipped', undefined],
      ['comes later', 'skipped', undefined],
      ['adds', 'passed', undefined],
      ['fails', 'failed', 'AssertionError: t.is(): - 3 + 4'],
      ['is a stub', 'failed', 'TypeError: sub is not implemented'],
    ])
    expect(broken).toMatchObject([{ file: 'b.test.mjs', failure: expect.stringContaining('ERR_MODULE_NOT_FOUND') }])
  })

  it('of node-tap does not count assertions as tests', () => {
    const { tests } = readTap(`TAP version 14
1..1
# Subtest: tap/a.test.mjs
    # Subtest: math
        # Subtest: adds
            ok 1 - should be equal
            1..1
        ok 1 - adds # time=3.529ms
        
        # Subtest: fails
            not ok 1 - should be equal
              ---
              compare: ===
              source: |
                t.test('is not implemented', t => { sub(); t.end() })
              ...
            
            1..1
        not ok 2 - fails # time=23.583ms
        
        # Subtest: is a stub
            not ok 1 - sub is not implemented
              ---
              tapCaught: testFunctionThrow
              ...
            1..1
        not ok 3 - is a stub # time=10.102ms
        ok 4 - waits # SKIP
        1..4
    not ok 1 - math # time=61.161ms
    1..1
    # time=73.336ms
not ok 1 - tap/a.test.mjs # time=73.336ms
`)
    expect(tests.map(({ fullName, state, failure, asserted }) => [fullName, state, failure, asserted])).toEqual([
      ['math adds', 'passed', undefined, undefined],
      ['math fails', 'failed', 'should be equal', true],
      ['math is a stub', 'failed', 'sub is not implemented', false],
      ['math waits', 'skipped', undefined, undefined],
    ])
  })

  it('of tape reads a comment as the test and the points below as its assertions', () => {
    const text =
      'TAP version 13\n# adds\nok 1 sum is 3\nok 2 is a number\n# fails\nnot ok 3 should be equal\n  ---\n    operator: equal\n  ...\n\n1..3\n# tests 3\n# pass  2\n'
    expect(states(text)).toEqual(['adds: passed', 'fails: failed'])
  })

  it('of two commands in a row gives the tests of both', () => {
    const text = 'TAP version 13\nok 1 - one\n1..1\n# tests 1\nTAP version 13\nok 1 - two\nnot ok 2 - three\n1..2\n'
    expect(states(text)).toEqual(['one: passed', 'two: passed', 'three: failed'])
  })

  it('gives an empty failure if there is no reason', () => {
    expect(readTap('not ok 1 - bare\n1..1\n').tests).toEqual([
      { name: 'bare', fullName: 'bare', suite: [], state: 'failed', failure: '', asserted: false },
    ])
  })
})

it('names the assertion of ava that failed, with what differs, and why a promise was rejected', () => {
  const failures = (...detail: string[]) =>
    readTap(['TAP version 13', 'not ok 1 - one', '  ---', ...detail, '  ...', '1..1'].join('\n')).tests[0]?.failure
  const differing = [
    '    name: AssertionError',
    '    assertion: t.deepEqual()',
    '    details:',
    "      'Difference (- actual, + expected):': |2-",
    '          [',
    '        -   2,',
    '        +   3,',
    '          ]',
    "    message: ''",
  ]
  expect(failures(...differing)).toBe('AssertionError: t.deepEqual(): - 2, + 3,')
  const single = [
    '    name: AssertionError',
    '    assertion: t.true()',
    '    values:',
    "      'Value is not `true`:': 'false'",
  ]
  expect(failures(...single)).toBe('AssertionError: t.true(): Value is not `true`: false')
  const rejected = [
    '    name: AssertionError',
    '    details:',
    "      'Rejected promise returned by test. Reason:': |-",
    '        Error {',
    "          message: 'free',",
    '        }',
    '    message: Rejected promise returned by test',
  ]
  expect(failures(...rejected)).toBe('AssertionError: Rejected promise returned by test: Error: free')
})
