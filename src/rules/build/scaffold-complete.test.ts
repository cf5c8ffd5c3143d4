import { describe, expect, it } from 'vitest'
import { type ScaffoldFacts, scaffoldProblems } from './scaffold-complete.ts'
import type { ChildSpec } from './spec.ts'
import { file, symbol, textFile } from './syntax-facts.fixture.ts'

const spec = {
  id: 'parser',
  description: 'd',
  acceptanceCriteria: [
    { id: 'c1', text: 't' },
    { id: 'c2', text: 't' },
  ],
  targetPath: 'src/parser.ts',
  testPath: 'test/parser.test.ts',
}
const plan = (criterionId: string) => ({ criterionId, plannedTestName: `tests ${criterionId}`, approach: '' })
const child = (...ids: string[]): ChildSpec => ({
  ...spec,
  id: 'lexer',
  acceptanceCriteria: ids.map((id) => ({ id, text: 't' })),
})

function problems({
  reply,
  ...more
}: Omit<Partial<ScaffoldFacts>, 'reply'> & { reply?: Partial<ScaffoldFacts['reply']> }) {
  const facts: ScaffoldFacts = {
    spec,
    path: ['parser'],
    existing: ['src/parser.ts', 'test/contract.ts', 'src/tokens.ts'],
    changed: [],
    interfaces: [file('src/tokens.ts', [symbol('lex'), symbol('inner', '', { exported: false })])],
    reply: {
      interfaceFile: 'src/parser.ts',
      contractSuite: 'test/contract.ts',
      testPlan: [plan('c1'), plan('c2')],
      ...reply,
    },
    ...more,
  }
  return scaffoldProblems(facts).map(({ rule, message }) => `${rule} ${message}`)
}

describe('a scaffold', () => {
  it('[VF1] is complete when what it declares exists and every criterion has a planned test', () => {
    expect(problems({})).toEqual([])
    expect(problems({ reply: { interfaces: [{ path: 'src/tokens.ts', exports: ['lex'] }] } })).toEqual([])
  })

  it('[VF1] lacks an interface or a contract suite that does not exist', () => {
    expect(problems({ existing: ['test/contract.ts'] })).toEqual([expect.stringMatching(/^VF1 src\/parser\.ts /)])
    expect(problems({ existing: ['src/parser.ts'] })).toEqual([expect.stringMatching(/test\/contract\.ts/)])
  })

  it('[VF1] lacks an export that it declares', () => {
    const interfaces = [{ path: 'src/tokens.ts', exports: ['lex', 'inner', 'ghost'] }]
    expect(problems({ reply: { interfaces } })).toEqual([
      expect.stringMatching(/inner/),
      expect.stringMatching(/ghost/),
    ])
    expect(problems({ reply: { interfaces }, interfaces: [textFile('src/tokens.ts', '', 'zig')] })).toEqual([])
  })

  it('[VF1] exports what Python imports, also if `__all__` does not list it', () => {
    const hidden = (name: string) => symbol(name, '', { exported: false })
    const facts = {
      ...file('src/units.py', [symbol('to_text'), hidden('to_bytes'), hidden('_pad')]),
      language: 'python',
    }
    const declares = (...exports: string[]) =>
      problems({
        existing: ['src/parser.ts', 'test/contract.ts', 'src/units.py'],
        interfaces: [facts],
        reply: { interfaces: [{ path: 'src/units.py', exports }] },
      })
    expect(declares('to_text', 'to_bytes')).toEqual([])
    expect(declares('_pad', 'ghost')).toHaveLength(2)
  })

  it('[VF1] plans a test for every criterion it keeps', () => {
    expect(problems({ reply: { testPlan: [plan('c1')] } })).toEqual([expect.stringMatching(/c2 has no planned test/)])
    expect(problems({ reply: { testPlan: [plan('c1')], childSpecs: [child('c2')] } })).toEqual([])
    const unknown = [plan('c1'), plan('c2'), plan('c9')]
    expect(problems({ reply: { testPlan: unknown } })).toEqual([expect.stringMatching(/c9/)])
  })

  it('[VF14] plans no test for what only the reviewer can check, but at least one for work on code', () => {
    const review = [{ criterionId: 'c2', reason: 'prose' }]
    expect(problems({ reply: { testPlan: [plan('c1')], review }, changed: ['src/parser.ts'] })).toEqual([])
    const marked = {
      ...spec,
      acceptanceCriteria: [spec.acceptanceCriteria[0]!, { id: 'c2', text: 't', kind: 'review' as const }],
    }
    expect(problems({ spec: marked, reply: { testPlan: [plan('c1')] } })).toEqual([])
    const all = { testPlan: [], review: [...review, { criterionId: 'c1', reason: 'prose' }] }
    expect(problems({ reply: all })).toEqual([])
    expect(problems({ reply: all, changed: ['src/parser.ts'] })).toEqual([
      expect.stringMatching(
        /^VF14 every criterion \(c1, c2\) .* src\/parser\.ts .* write a test for at least one of them$/,
      ),
    ])
    const given = {
      testPlan: [],
      review: [{ criterionId: 'c1', reason: 'prose' }],
      childSpecs: [
        { ...spec, id: 'rows', acceptanceCriteria: [spec.acceptanceCriteria[1]!], targetPath: 'src/rows.ts' },
      ],
    }
    expect(problems({ reply: given, changed: ['src/rows.ts'] })).toEqual([])
    expect(problems({ reply: given, changed: ['src/rows.ts', 'src/parser.ts'] })).toHaveLength(1)
    const strange = [{ criterionId: 'c9', reason: 'prose' }]
    expect(problems({ reply: { review: strange } })).toEqual([
      expect.stringMatching(/^VF14 c9 is left to the reviewer/),
    ])
  })

  it('[VF1] gives its children criteria of its own, each once', () => {
    const twice = [child('c1'), { ...child('c1'), id: 'other' }]
    expect(problems({ reply: { childSpecs: twice } })).toEqual([expect.stringMatching(/c1.*lexer.*other/)])
    expect(problems({ reply: { childSpecs: [child('c8')] } })).toEqual([expect.stringMatching(/c8/)])
  })

  it('[VF1] of a child does not touch its parent’s interface', () => {
    const before = [file('src/api.ts', [symbol('run', '', { signature: 'run(): void' })])]
    const touched = [file('src/api.ts', [symbol('run', '', { signature: 'run(x: string): void' })])]
    expect(problems({ parentInterface: { before, after: before } })).toEqual([])
    expect(problems({ parentInterface: { before, after: touched } })).toEqual([expect.stringMatching(/parent.*run/)])
  })
})
