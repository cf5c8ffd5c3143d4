import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outputExcerpt } from './output-excerpt.ts'

const progress = (count: number) => Array.from({ length: count }, (_, index) => `✔ test ${index} passes (1ms)`)

describe('outputExcerpt', () => {
  it('[VF8] shows a short output as it is', () => {
    expect(outputExcerpt('one\ntwo\n')).toBe('one\ntwo')
  })

  it.each([
    ['an ava failure', '  ✖ [fail]: adds one', 'Difference: 1 !== 2'],
    ['a TAP failure', 'not ok 3 - adds one', 'expected: 2'],
    ['a pytest failure', 'E   AssertionError: assert 1 == 2', 'test_inc.py:3: AssertionError'],
    ['a type error', 'src/inc.ts(1,1): error TS2304: Cannot find name', 'Found 1 error.'],
    ['a linter', '  3:10  error  Missing semicolon  semi', '1 problem'],
    ['a thrown error', "Error: Cannot find module './inc.js'", '    at Module._load'],
    ['a Rust panic', "thread 'adds_one' panicked at src/lib.rs:3:5:", 'assertion failed'],
    ['a Go failure', '--- FAIL: TestInc (0.00s)', 'inc_test.go:7: got 1'],
  ])('[VF8] begins before the first error and not at the end: %s', (_, error, after) => {
    const output = [...progress(200), error, after, ...progress(200), '', '  1 test failed'].join('\n')
    const lines = outputExcerpt(output).split('\n')
    expect(lines).toContain(error)
    expect(lines).toContain(after)
    expect(lines[0]).toBe('[192 lines before]')
    expect(lines.length).toBeLessThanOrEqual(62)
  })

  it('[VF8] shows a few of many tests that pass around a failure', () => {
    const short = [...progress(45), 'not ok 46 - adds one', '  expected: 2'].join('\n')
    expect(outputExcerpt(short).split('\n')).toEqual([
      '[42 lines of tests that pass]',
      ...progress(45).slice(42),
      'not ok 46 - adds one',
      '  expected: 2',
    ])
    const long = ['not ok 1 - adds one', ...progress(100), 'not ok 102 - adds two'].join('\n')
    expect(outputExcerpt(long)).toContain('not ok 102 - adds two')
  })

  it('[VF8] prefers an error that names a failing test over noise that looks like one', () => {
    const output = [
      ...progress(50),
      '✖ connection failed, retrying',
      ...progress(50),
      'not ok 101 - adds one',
      ...progress(50),
    ]
    expect(outputExcerpt(output.join('\n'), ['adds one'])).toContain('not ok 101')
    expect(outputExcerpt(output.join('\n'))).toContain('connection failed')
  })

  it('[VF8] ignores summaries of nothing and what a progress bar has overwritten', () => {
    const output = [...progress(80), 'Found 0 errors.', '10%\r50%\rdone', ...progress(80)].join('\n')
    const text = outputExcerpt(output)
    expect(text).not.toContain('10%')
    expect(text.split('\n').at(-1)).toBe('✔ test 79 passes (1ms)')
  })

  it('[VF8] never exceeds its limit, whatever the output', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 5000 }), (output) => {
        expect(outputExcerpt(output.replaceAll('a', '\n')).split('\n').length).toBeLessThanOrEqual(62)
      }),
    )
  })

  it('[VF8] leaves out frames inside the runtime, the folder of the checkout, and failures that are listed twice', () => {
    const slot = 'file:///home/ada/.cache/worktrees/p/build-16eafb43-bb94-4523-8f59-4d8f1597630d/1/'
    const failure = [
      '✖ makes dashes',
      "  AssertionError: 'a- b' == 'a-b'",
      `      at TestContext.<anonymous> (${slot}test/slug.test.js:5:49)`,
      '      at Test.run (node:internal/test_runner/test:796:25)',
    ]
    expect(outputExcerpt([...failure, 'ℹ fail 1', ...failure].join('\n')).split('\n')).toEqual([
      '✖ makes dashes',
      "  AssertionError: 'a- b' == 'a-b'",
      '      at TestContext.<anonymous> (test/slug.test.js:5:49)',
      '✖ makes dashes',
    ])
    const recap = ['✖ failing tests:', '', 'test at test/slug.test.js:5:1', ...failure]
    expect(outputExcerpt([...failure, '', 'ℹ fail 1', '', ...recap].join('\n')).split('\n')).toEqual([
      '✖ makes dashes',
      "  AssertionError: 'a- b' == 'a-b'",
      '      at TestContext.<anonymous> (test/slug.test.js:5:49)',
    ])
    const titles = ['✖ makes dashes', 'ℹ fail 1', '✖ failing tests:', 'test at test/slug.test.js:5:1', ...failure]
    expect(outputExcerpt(titles.join('\n'))).toContain("AssertionError: 'a- b' == 'a-b'")
  })
})
