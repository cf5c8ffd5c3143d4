import { describe, expect, it } from 'vitest'
import { file, imports, symbol, textFile } from './syntax-facts.fixture.ts'
import type { TestFacts } from './test-facts.ts'
import { importQuestion, importsInQuestion, refusedImport } from './unsafe-imports.ts'
import {
  type ApprovalFacts,
  approvalProblems,
  claimVerdict,
  isChecker,
  onlyChecksFailed,
  skippedCriteria,
} from './verification.ts'

describe('a claim of passing tests', () => {
  it('[VF4] holds where every step that was run ended with 0', () => {
    expect(claimVerdict([{ setup: 0, build: 0, test: 0, contract: 0 }])).toEqual({ verdict: 'passed', flaky: false })
    expect(claimVerdict([{ test: 0 }])).toEqual({ verdict: 'passed', flaky: false })
  })

  it('[VF4] counts for nothing where nothing was run', () => {
    expect(claimVerdict([])).toEqual({ verdict: 'not-run' })
    expect(claimVerdict([{}])).toEqual({ verdict: 'not-run' })
  })

  it('[VF4] gets one second run, and a test green only then is flaky', () => {
    const red = { build: 0, test: 1 }
    expect(claimVerdict([red])).toEqual({ verdict: 'run-again', step: 'test' })
    expect(claimVerdict([red, { build: 0, test: 0 }])).toEqual({ verdict: 'passed', flaky: true })
    expect(claimVerdict([red, red])).toEqual({ verdict: 'failed', step: 'test' })
    expect(claimVerdict([{ test: 0, contract: 2 }])).toEqual({ verdict: 'run-again', step: 'contract' })
    expect(claimVerdict([red, red, { test: 0 }])).toEqual({ verdict: 'failed', step: 'test' })
  })

  it('[VF4] fails at once where set-up or build fails', () => {
    expect(claimVerdict([{ setup: 1 }])).toEqual({ verdict: 'failed', step: 'setup' })
    expect(claimVerdict([{ setup: 0, build: 2 }])).toEqual({ verdict: 'failed', step: 'build' })
  })
})

const sound: ApprovalFacts = {
  criteria: ['c1', 'c2'],
  coverage: [
    { criterionId: 'c1', testName: 'one' },
    { criterionId: 'c2', testName: 'two' },
  ],
  ran: [
    { name: 'one', outcome: 'passed' },
    { name: 'two', outcome: 'passed' },
  ],
  before: [],
  after: [file('src/add.ts', [symbol('add', '{ return a + b }')])],
}

function problems(more: Partial<ApprovalFacts>) {
  return approvalProblems({ ...sound, ...more }).map(({ message }) => message)
}

describe('an approval', () => {
  it('[VF5] holds where every criterion has a test that ran and passed', () => {
    expect(problems({})).toEqual([])
  })

  it.each([
    ['was not run', []],
    ['failed', [{ name: 'two', outcome: 'assertion' }]],
    ['was skipped', [{ name: 'two', outcome: 'skipped' }]],
    ['passed here and failed there', [...sound.ran, { name: 'two', outcome: 'failed' }]],
  ] as [string, TestFacts[]][])('[VF5] does not hold where a criterion’s only test %s', (_, two) => {
    const ran: TestFacts[] = [{ name: 'one', outcome: 'passed' }, ...two]
    expect(problems({ ran })).toEqual([expect.stringMatching(/covers c2/)])
  })

  it('[VF5] names a skipped test, with the reason that its author gave', () => {
    const skipped: TestFacts = { name: 'two', outcome: 'skipped', message: 'platform without a start value' }
    const ran: TestFacts[] = [{ name: 'one', outcome: 'passed' }, skipped]
    const said = "no test that ran and passed covers c2: two was skipped: 'platform without a start value'"
    expect(problems({ ran })).toEqual([said])
    // Beside a failing test, which is reported by itself, only what was skipped is missing.
    const red: TestFacts[] = [{ name: 'one', outcome: 'assertion' }, skipped]
    expect(skippedCriteria({ ...sound, ran: red })).toMatchObject([{ rule: 'VF5', message: said }])
  })

  it('[VF5] one passing test a criterion is enough', () => {
    const coverage = [...sound.coverage, { criterionId: 'c1', testName: 'another' }]
    expect(problems({ coverage, ran: [...sound.ran, { name: 'another', outcome: 'assertion' }] })).toEqual([])
    expect(problems({ coverage: [] })).toHaveLength(2)
  })

  it.each([
    ['typescript', "{ throw new Error('not implemented') }"],
    ['typescript', "{ throw new Error('Not yet implemented: add') ; }"],
    ['typescript', "{ void a ; void b ; throw new Error('unimplemented') }"],
    ['typescript', "{ return Promise.reject(new Error('TODO')) }"],
    ['python', 'raise NotImplementedError("later")'],
    ['python', '"Adds two numbers." raise NotImplementedError'],
    ['python', 'pass'],
    ['python', '...'],
    ['rust', '{ todo!() }'],
    ['rust', '{ unimplemented!("later") }'],
    ['go', '{ panic("not implemented") }'],
    ['haskell', 'undefined'],
  ])('[VF5] does not hold with a stub left in %s: %s', (language, body) => {
    const after = [file('src/add.ts', [symbol('add', body)], { language })]
    expect(problems({ after })).toEqual(['add is still a stub'])
  })

  it.each([
    ['typescript', "{ if (!todo) throw new Error('todo not found'); return todo }"],
    ['typescript', "{ throw new Error('todo not found') }"],
    ['typescript', "{ if (kind === 'b') throw new Error('not implemented'); return a }"],
    ['typescript', '{ return notImplementedYet }'],
    ['python', 'for x in y: pass return x'],
    ['haskell', 'f undefined x'],
  ])('[VF5] takes code that works for no stub, in %s: %s', (language, body) => {
    expect(problems({ after: [file('src/add.ts', [symbol('add', body)], { language })] })).toEqual([])
  })

  it('[VF5] leaves alone what is abstract, and what is no function', () => {
    const abstract = symbol('Shape.area', 'raise NotImplementedError', { kind: 'method', abstract: true })
    const failure = symbol('Failure', 'pass', { kind: 'class' })
    expect(problems({ after: [file('a.py', [abstract, failure], { language: 'python' })] })).toEqual([])
  })

  it('[VF5] finds a stub in a file that is not parsed by its line', () => {
    expect(problems({ after: [textFile('a.rs', 'fn a() {\n  todo!()\n}', 'rust')] })).toEqual(['a.rs is still a stub'])
    expect(problems({ after: [textFile('a.md', 'throw: not implemented', null)] })).toEqual([])
  })

  it.each([
    ['typescript', 'node:child_process'],
    ['javascript', 'vm'],
    ['python', 'ctypes.util'],
    ['go', 'unsafe'],
    ['rust', 'std::process::Command'],
    ['haskell', 'System.IO.Unsafe'],
  ])('[VF5] asks about an unsafe import in %s: %s', (language, module) => {
    const after = [file('src/add', [], { language, imports: imports('safe', module) })]
    const [found] = importsInQuestion(after, [], [])
    expect(found).toEqual({ file: 'src/add', module: module.replace('node:', '') })
    expect(importQuestion('add', [found!])).toContain(`${found!.module} in src/add`)
    expect(refusedImport(found!)).toMatchObject({ rule: 'VF5', path: 'src/add' })
    expect(importsInQuestion(after, after, [])).toEqual([])
    expect(importsInQuestion(after, [], [module])).toEqual([])
  })

  it('[VF5] takes a module that only begins like an unsafe one for safe', () => {
    const after = [file('a.ts', [], { imports: imports('vm-browserify', './vm.ts', 'os') })]
    expect(importsInQuestion(after, [], [])).toEqual([])
  })
})

describe('what an approval says of itself', () => {
  it('[VF5] refutes it where it names criteria without a test', () => {
    expect(problems({ missing: ['c1', 'c1'] })).toEqual(['the approval itself names c1 as untested'])
    expect(problems({ missing: [] })).toEqual([])
  })

  it('[VF5] does not hold with text run as code, unless that was there before', () => {
    const runs = (...evaluates: string[]) => [{ ...file('src/add.ts', []), evaluates }]
    expect(problems({ after: runs('eval') })).toEqual(['eval runs text as code, which is unsafe'])
    expect(problems({ after: runs('eval', 'new Function'), before: runs('eval') })).toEqual([
      'new Function runs text as code, which is unsafe',
    ])
  })
})

describe('a part of the test command that runs no tests', () => {
  it('[VF4] gets no second run if it is a linter or a type checker', () => {
    expect(claimVerdict([{ checks: 1, test: 1 }])).toEqual({ verdict: 'failed', step: 'checks' })
    expect(claimVerdict([{ checks: 0, test: 1 }])).toEqual({ verdict: 'run-again', step: 'test' })
    expect(
      [
        'xo',
        'npx eslint .',
        'node_modules/.bin/tsc --noEmit',
        'ruff check .',
        'tsd',
        'go vet ./...',
        'eclint check a',
        'oxfmt --check',
        'tsgo --noEmit',
      ].every(isChecker),
    ).toBe(true)
    expect(['node test.js', 'ava', 'node eslint-test.js', 'go test ./...'].some(isChecker)).toBe(false)
  })

  it('[VF4] alone says nothing about the tests', () => {
    const [lint, build] = [{ command: 'oxfmt --check src test' }, { command: 'node build.js' }]
    expect(onlyChecksFailed([lint], [])).toBe(true)
    expect(onlyChecksFailed([lint, build], [])).toBe(false)
    expect(onlyChecksFailed([lint], ['adds'])).toBe(false)
    expect(onlyChecksFailed([], [])).toBe(false)
  })
})
