import { describe, expect, it } from 'vitest'
import { file, symbol, textFile } from './syntax-facts.fixture.ts'
import { allowChoice, type Touched, touchProblems } from './touched-paths.ts'

const stub = [file('src/add.ts', [symbol('add', 'throw x', { signature: 'add(a: number): number' })])]

function problems(more: Partial<Touched>) {
  const touched: Touched = {
    by: 'impl',
    paths: ['src/add.ts'],
    tests: ['test/add.test.ts', 'test/contract'],
    interfaces: { before: stub, after: stub },
    targets: ['src/add.ts'],
    ...more,
  }
  return touchProblems(touched)
}

describe('what an agent touched', () => {
  it.each(['test/add.test.ts', 'test/contract/api.ts', 'test/contract'])('[VF3] impl may not touch %s', (path) => {
    expect(problems({ paths: ['src/add.ts', path] }).problems).toMatchObject([{ rule: 'VF3', path }])
  })

  it('[VF8] names the paths to put back: those the role may not touch, not what it may repair', () => {
    const changed = [file('src/add.ts', [symbol('add', 'x', { signature: 'add(a: string): number' })])]
    const paths = ['src/add.ts', 'test/add.test.ts', 'run-tests.sh']
    const verdict = problems({ paths, commands: ['run-tests.sh'], interfaces: { before: stub, after: changed } })
    expect(verdict.problems).toHaveLength(3)
    expect(verdict.forbidden).toEqual(['test/add.test.ts', 'run-tests.sh'])
  })

  it('[VF3] takes a path that a person allowed, but no contract, private file or path outside the work', () => {
    const own = ['test/add.test.ts', 'run-tests.sh']
    const others = ['test/contract/api.ts', 'test/.env', '.git/hooks.test.ts', '../up.test.ts']
    const paths = [...own, ...others]
    const touched = {
      paths,
      contracts: ['test/contract'],
      tests: ['test'],
      commands: ['run-tests.sh'],
      privates: ['test/.env'],
    }
    expect(problems(touched).mayAllow).toEqual(own)
    const verdict = problems({ ...touched, allowed: paths })
    expect(verdict.forbidden).toEqual(others)
    expect(verdict.mayAllow).toEqual([])
    expect(problems({ ...touched, paths: own, allowed: own }).problems).toEqual([])
    expect(problems({ ...touched, paths: own, allowed: ['run-tests.sh'] }).forbidden).toEqual(['test/add.test.ts'])
  })

  it('[VF3] offers one answer for all paths, with their names while they are few', () => {
    expect(allowChoice(['README.md'])).toBe('allow README.md')
    expect(allowChoice(['a', 'b', 'c'])).toBe('allow a, b, c')
    expect(allowChoice(['a', 'b', 'c', 'd'])).toBe('allow these 4 files')
  })

  it('[VF3] a merger may not make a merge pass by its tests', () => {
    const path = 'test/add.test.ts'
    expect(problems({ by: 'merger', paths: [path] }).problems).toMatchObject([{ rule: 'VF3', path }])
  })

  it('[VF3] impl may touch everything else, and others may touch tests', () => {
    const tests = ['checks/add.ts', 'checks/contract']
    const paths = ['src/add.ts', 'checks/add.ts.snap', 'checks/contracts.ts']
    expect(problems({ paths, tests }).problems).toEqual([])
    for (const by of ['scaffold', 'tdd', 'rebaser', 'solo'] as const) {
      expect(problems({ by, paths: ['test/add.test.ts'] }).problems).toEqual([])
    }
  })

  it('[VF3] impl may write its target under a name of tests, but no other file of such a name', () => {
    const paths = ['test.js', 'other.test.js']
    expect(problems({ paths, targets: ['test.js'] }).problems).toMatchObject([{ rule: 'VF3', path: 'other.test.js' }])
    expect(problems({ paths: ['test.js'], targets: ['test.js'], tests: ['test.js'] }).problems).toHaveLength(1)
  })

  it('[VF3] bodies in an interface may be filled in', () => {
    const after = [file('src/add.ts', [symbol('add', 'return a + 1', { signature: 'add(a:number):number' })])]
    expect(problems({ interfaces: { before: stub, after } })).toEqual({
      problems: [],
      unchecked: [],
      forbidden: [],
      mayAllow: [],
    })
  })

  it.each([
    ['changed', [symbol('add', '', { signature: 'add(a: string): number' })]],
    ['removed', []],
    ['hidden', [symbol('add', '', { signature: 'add(a: number): number', exported: false })]],
    ['joined by another', [...stub[0]!.symbols, symbol('more')]],
  ])('[VF3] an exported symbol may not be %s by impl or tdd', (_, symbols) => {
    const interfaces = { before: stub, after: [file('src/add.ts', symbols)] }
    for (const by of ['impl', 'tdd', 'merger'] as const) {
      expect(problems({ by, interfaces }).problems).toMatchObject([{ rule: 'VF3', path: 'src/add.ts' }])
    }
    expect(problems({ by: 'scaffold', interfaces }).problems).toEqual([])
  })

  it('[VF3] the target may take more than before, if nobody has to follow', () => {
    const after = (signature: string) => [file('src/add.ts', [symbol('add', '', { signature })])]
    const wider = (signature: string, more: Partial<Touched> = {}) =>
      problems({ interfaces: { before: stub, after: after(signature) }, ...more }).problems
    expect(wider('add(a: number, number?): number')).toEqual([])
    expect(wider('add(a: number | string): number')).toEqual([])
    expect(wider('add(a: number, b: number): number')).toHaveLength(1)
    expect(wider('add(a: number | string): number', { targets: ['src/sub.ts'] })).toHaveLength(1)
  })

  it('[VF3] what a review wants changed may change, in the files that it names', () => {
    const after = [file('src/add.ts', [symbol('add', '', { signature: 'add(a: string): number' })])]
    const interfaces = { before: stub, after }
    expect(problems({ interfaces, reviewed: ['src/add.ts'] }).problems).toEqual([])
    expect(problems({ interfaces, reviewed: ['src/sub.ts'] }).problems).toHaveLength(1)
    for (const lost of [[], [file('src/add.ts', [])]])
      expect(problems({ interfaces: { before: stub, after: lost }, reviewed: ['src/add.ts'] }).problems).toHaveLength(1)
  })

  it('[VF3] an interface may not be deleted', () => {
    expect(problems({ interfaces: { before: stub, after: [] } }).problems).toHaveLength(1)
  })

  it('[VF3] an interface that is not parsed is held to its text, unless it is the target', () => {
    const before = [textFile('src/api.zig', 'fn a', 'zig')]
    const after = [textFile('src/api.zig', 'fn b', 'zig')]
    expect(problems({ interfaces: { before, after } }).problems).toMatchObject([{ path: 'src/api.zig' }])
    expect(problems({ interfaces: { before, after: before } }).problems).toEqual([])
    expect(problems({ interfaces: { before, after }, targets: ['src/api.zig'] })).toEqual({
      problems: [],
      unchecked: ['src/api.zig'],
      forbidden: [],
      mayAllow: [],
    })
  })

  it('[VF6] a path out of the tree is refused in every role', () => {
    for (const by of ['scaffold', 'impl', 'solo'] as const) {
      expect(problems({ by, paths: ['../outside', 'src/add.ts'] }).problems).toMatchObject([
        { rule: 'VF6', path: '../outside' },
      ])
    }
  })
})

describe('what is not a test author’s', () => {
  it('[VF3] the contract, and code that is no test', () => {
    const paths = ['test/contract/api.ts', 'src/old.ts', 'test/add.test.ts']
    const found = problems({ by: 'tdd', paths, contracts: ['test/contract'], sources: ['src/old.ts'] }).problems
    expect(found.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'test/contract/api.ts: a contract, which a test author may not change',
      'src/old.ts: not a test, and test authors may only write tests',
    ])
    expect(problems({ by: 'solo', paths, contracts: ['test/contract'], sources: ['src/old.ts'] }).problems).toEqual([])
  })
})

describe('what the test command runs', () => {
  it('[VF3] agents may not edit what the test command runs, unless it is the target', () => {
    const commands = ['package.json']
    for (const by of ['impl', 'tdd', 'merger', 'solo'] as const) {
      const found = problems({ by, paths: [], commands }).problems
      expect(found).toMatchObject([{ rule: 'VF3', path: 'package.json' }])
    }
    expect(problems({ by: 'scaffold', paths: [], commands }).problems).toEqual([])
    expect(problems({ paths: [], commands, targets: ['package.json'] }).problems).toEqual([])
  })
})
