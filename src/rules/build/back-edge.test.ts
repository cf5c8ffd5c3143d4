import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backEdgeReason, concernsCode, enter, refusal, refusedApproval } from './back-edge.ts'
import { samplePayloads } from './exits.fixture.ts'
import type { Exit } from './exits.ts'
import { nextStep } from './graph.ts'
import { type ExitName, edgeAt, exitsAt, type GraphNode, graphPlace, graphPlaces, type TddMode } from './graph-table.ts'

const order = ['scaffold', 'tdd:write-tests', 'impl', 'tdd:review', 'merger', 'rebaser']

function sample<Name extends ExitName>(name: Name): Exit {
  return { name, payload: samplePayloads[name] } as Exit
}

describe('back edges', () => {
  it.each([
    ['InvalidScaffold', 'missing-type', { missingType: 'Token', expectedLocation: 'src/parser.ts' }],
    ['BlockedDependency', 'missing-symbol', { missingSymbol: 'lex', expectedImportPath: './lexer.ts' }],
    ['SpecAmbiguity', 'ambiguity', { question: 'Which order?', specSentence: 'It sorts.' }],
    ['MoreTests', 'critique', { critiques: [{ line: 3 }], additionalTests: [{ plannedTestName: 'rejects nothing' }] }],
    ['RequestRetry', 'retry', { strategyTo: 'index', failingTests: ['is quick'] }],
    ['MergeRejected', 'merge-rejected', { reason: 'BuildFailure', failingTests: ['parses'] }],
    ['RebaseConflict', 'rebase-conflict', { conflictFile: 'src/lexer.ts', whyUnresolvable: 'both rewrote it' }],
    ['RebaseAdapted', 'rebased', { adaptations: [{ symbol: 'lex' }] }],
    ['RebaseClean', 'rebased', { adaptations: [] }],
  ] as const)('[GR3] %s gives the reason %s with what the agent said', (name, kind, words) => {
    expect(backEdgeReason(sample(name))).toMatchObject({ kind, ...words })
  })

  it('[GR3] every edge that leads back carries a reason, and none that leads forward', () => {
    for (const place of graphPlaces) {
      for (const exit of exitsAt(place) as ExitName[]) {
        const targets = edgeAt(place, exit)!.next.map(({ node, mode }) =>
          order.indexOf(mode ? `${node}:${mode}` : node),
        )
        const leadsBack = targets.some((target) => target >= 0 && target <= order.indexOf(place))
        expect([exit, backEdgeReason(sample(exit)) !== undefined]).toEqual([exit, leadsBack])
      }
    }
  })

  it('[GR3] along any walk, a node entered again has its original input and a reason', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { minLength: 1, maxLength: 60 }), (choices) => {
        const inputs = new Map<string, object>()
        const entered = new Set<string>()
        let place = 'scaffold'
        let carried: ReturnType<typeof backEdgeReason>
        for (const choice of choices) {
          const own = exitsAt(place as (typeof graphPlaces)[number]) as ExitName[]
          const exit = own[choice % own.length]!
          const [node, mode] = place.split(':') as [GraphNode, TddMode?]
          const target = nextStep({ node, mode, exit }).next.find((one) => one.node !== 'parent')
          if (!target || target.node === 'rebaser') return
          const next = graphPlace(target.node as GraphNode, target.mode)!
          const input = inputs.get(next) ?? { for: next }
          inputs.set(next, input)
          const entry = enter(target, input, sample(exit), carried)
          expect(entry.input).toBe(input)
          if (order.indexOf(next) <= order.indexOf(place)) expect(entry.reason).toBeDefined()
          entered.add(next)
          carried = entry.reason
          place = next
        }
      }),
    )
  })

  it('[GR3] critiques go through the test author to the implementer', () => {
    const author = enter({ node: 'tdd', mode: 'write-tests' }, { spec: 1 }, sample('MoreTests'))
    const implementer = enter({ node: 'impl' }, { spec: 1 }, sample('TestsReady'), author.reason)
    expect(implementer).toMatchObject({ node: 'impl', input: { spec: 1 }, reason: { kind: 'critique' } })
    const rebased = enter({ node: 'impl' }, {}, sample('TestsReady'), { kind: 'rebased', adaptations: [] })
    expect(rebased).not.toHaveProperty('reason')
  })

  it('[GR3] passes on the problems that a check found', () => {
    const problems = [{ rule: 'VF5', message: 'add is still a stub', path: 'src/add.ts' }]
    expect(refusal(problems)).toEqual({ kind: 'refused', problems })
    const { name, payload } = refusedApproval(
      [...problems, { rule: 'VF5', message: 'nothing covers AC1' }],
      'test/add.test.ts',
    )
    expect(name).toBe('MoreTests')
    expect(payload.critiques).toMatchObject([
      { file: 'src/add.ts', issue: 'add is still a stub' },
      { file: 'test/add.test.ts', issue: 'nothing covers AC1', requiredFix: 'a test for it that runs and passes' },
    ])
  })

  it('[GR3] what a review says about tests alone is the test author’s', () => {
    const about = (...files: string[]) =>
      concernsCode(
        files.map((file) => ({ file, line: 1, issue: 'weak', requiredFix: '' })),
        (file) => file.startsWith('test/'),
      )
    expect(about()).toBe(false)
    expect(about('test/a.ts', 'test/b.ts')).toBe(false)
    expect(about('test/a.ts', 'src/a.ts')).toBe(true)
    expect(about('')).toBe(true)
  })
})
