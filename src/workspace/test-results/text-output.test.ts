import { describe, expect, it } from 'vitest'
import { isCargoTest, readCargoTest } from './cargo-output.ts'
import { isGoTest, readGoTest } from './go-output.ts'
import { isMarked, readMarked } from './marked-output.ts'

describe('the output of go test', () => {
  const text = `# example.com/m/other
other/o_test.go:2:20: no required module provides package example.com/m/parser; to add it:
	go get example.com/m/parser
FAIL	example.com/m/other [setup failed]
=== RUN   TestAdd
--- PASS: TestAdd (0.00s)
=== RUN   TestFails
    c_test.go:4: got 3, want 4
--- FAIL: TestFails (0.00s)
=== RUN   TestSkipped
    c_test.go:5: no
--- SKIP: TestSkipped (0.00s)
=== RUN   TestTable
=== RUN   TestTable/one_two
--- FAIL: TestTable (0.00s)
    --- PASS: TestTable/one_two (0.00s)
=== RUN   TestStub
--- FAIL: TestStub (0.00s)
panic: not implemented [recovered]
	panic: not implemented

goroutine 26 [running]:
example.com/m/calc.TestStub(0xc000085520?)
FAIL	example.com/m/calc	0.021s
=== RUN   TestAdd
--- FAIL: TestPrinted (0.00s)
--- PASS: TestAdd (0.00s)
ok  	example.com/m/deep	0.003s
FAIL
`
  it('gives each test its package, state and failure, and takes nothing that a test prints for one', () => {
    expect(isGoTest(text)).toBe(true)
    const { tests, broken } = readGoTest(text, 'example.com/m')
    expect(tests.map(({ fullName, state, asserted }) => [fullName, state, asserted])).toEqual([
      ['example.com/m/calc TestAdd', 'passed', undefined],
      ['example.com/m/calc TestFails', 'failed', true],
      ['example.com/m/calc TestSkipped', 'skipped', undefined],
      ['example.com/m/calc TestTable', 'failed', true],
      ['example.com/m/calc TestTable/one_two', 'passed', undefined],
      ['example.com/m/calc TestStub', 'failed', false],
      ['example.com/m/deep TestAdd', 'passed', undefined],
    ])
    expect(tests[5]?.failure).toMatch(/^panic: not implemented/)
    expect(broken).toMatchObject([{ file: 'other', failure: expect.stringContaining('example.com/m/parser') }])
  })
})

describe('the output of cargo test', () => {
  it('gives each test its state and what it panicked with', () => {
    const text = `running 4 tests
test tests::adds ... ok
test tests::panics - should panic ... ok
test tests::waits ... ignored
test tests::fails ... FAILED

failures:

---- tests::fails stdout ----
not implemented, says the test itself

thread 'tests::fails' (21074) panicked at src/lib.rs:11:45:
assertion \`left == right\` failed
  left: 3
 right: 4
stack backtrace:
   0: __rustc::rust_begin_unwind
note: run with \`RUST_BACKTRACE=1\`

failures:
    tests::fails

test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.37s
   Doc-tests calc
test src/lib.rs - add (line 1) ... ok
`
    expect(isCargoTest(text)).toBe(true)
    expect(readCargoTest(text).tests).toEqual([
      { name: 'adds', fullName: 'tests::adds', state: 'passed' },
      { name: 'panics', fullName: 'tests::panics', state: 'passed' },
      { name: 'waits', fullName: 'tests::waits', state: 'skipped' },
      {
        name: 'fails',
        fullName: 'tests::fails',
        state: 'failed',
        failure: 'assertion `left == right` failed\n  left: 3\n right: 4',
      },
      { name: 'src/lib.rs - add (line 1)', fullName: 'src/lib.rs - add (line 1)', state: 'passed' },
    ])
  })

  it('treats a crate that does not compile as broken', () => {
    const text =
      'error[E0432]: unresolved import `calc::parser`\n --> tests/a.rs:1:11\n\nerror: could not compile `calc` (test "a")\n'
    expect(readCargoTest(text)).toMatchObject({
      tests: [],
      broken: [{ file: '.', failure: expect.stringContaining('calc::parser') }],
    })
  })
})

describe('lists with marks', () => {
  it('of Mocha give groups and states, each test once', () => {
    const text = `
> mocha

  math
    ✔ adds (12ms)
    - waits
    deep group
      1) fails
    other group
      ✓ works

  2 passing (7ms)
  1 failing

  1) math
       deep group
         fails:
`
    expect(isMarked(text)).toBe(true)
    expect(readMarked(text).tests).toEqual([
      { name: 'adds', fullName: 'math adds', state: 'passed' },
      { name: 'fails', fullName: 'math deep group fails', state: 'failed' },
      { name: 'works', fullName: 'math other group works', state: 'passed' },
    ])
  })

  it('of Node leave out the lines that end a group', () => {
    const text =
      '▶ math\n  ✔ adds (1.15ms)\n  ✖ fails (3.66ms)\n✖ math (9.29ms)\n✔ alone (0.2ms)\n\n✖ failing tests:\n\n✖ fails (3.66ms)\n'
    expect(readMarked(text).tests.map(({ fullName, state }) => `${fullName}: ${state}`)).toEqual([
      'math adds: passed',
      'math fails: failed',
      'alone: passed',
    ])
  })
})

describe('the output of a linter', () => {
  it('is no list of tests', () => {
    const text = 'src/a.js\n  3:1  error  Unexpected var  no-var\n\n✖ 2 problems (1 error, 1 warning)\n'
    expect(isMarked(text)).toBe(false)
    expect(readMarked(`${text}✔ adds\n`).tests.map(({ name }) => name)).toEqual(['adds'])
  })
})
