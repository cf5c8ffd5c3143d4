import { describe, expect, it } from 'vitest'
import { phaseAddress, planAddress, planRunOf } from '../data/addresses/plan.ts'
import { hasDiagram, readable, shortFolder } from './view/document.ts'
import { readIssues, wavesOf } from './view/issues.ts'
import * as make from './view/plan.fixture.ts'
import { standsOf } from './view/positions.ts'
import { spentLabel, spentOf } from './view/spent.ts'

describe('where a plan is found', () => {
  it('is its run, also where it is part of a ship', () => {
    expect([planRunOf('plan-1'), planRunOf('plan-1/phase-8.1')]).toEqual(['plan-1', 'plan-1'])
    expect([planRunOf('ship-1/plan'), planRunOf('ship-1/plan/phase-8b.1')]).toEqual(['ship-1/plan', 'ship-1/plan'])
    expect([planRunOf('build-1'), planRunOf('ship-1/run'), planRunOf('planner')]).toEqual([null, null, null])
    expect(planAddress('ship-1/plan')).toBe('/plans/ship-1%2Fplan')
    expect(phaseAddress('plan-1', '6b')).toBe('/plans/plan-1/phases/6b')
  })
})

describe('a document', () => {
  it('is read without front matter and without marks for machines', () => {
    const text =
      '---\nphase: 4\nflags: []\n---\n\n# Design\n\n- **D1** (HIGH): do it <sub>turn plan-1:4</sub>\n\n---\n\nmore'
    expect(readable(text)).toBe('# Design\n\n- **D1** (HIGH): do it\n\n---\n\nmore')
    expect(readable('no front matter\n\n---\n\n---\n')).toBe('no front matter\n\n---\n\n---')
  })

  it('has a diagram where there is a fence that says so', () => {
    expect([hasDiagram('```mermaid\ngraph'), hasDiagram('a mermaid `x`')]).toEqual([true, false])
  })

  it('is named as one would type it', () => {
    expect(shortFolder('/home/x/shop/.convene/plans/a-1')).toBe('.convene/plans/a-1')
    expect(shortFolder('/elsewhere/plans/a-1')).toBe('/elsewhere/plans/a-1')
  })
})

describe('issues', () => {
  const issue = (number: number, ...depends_on: number[]) => ({
    number,
    title: 't',
    acceptance_criteria: [],
    depends_on,
  })
  const waves = (...issues: ReturnType<typeof issue>[]) =>
    wavesOf(readIssues(JSON.stringify({ feature: 'f', issues }))!.issues).map((wave) =>
      wave.map(({ number }) => number),
    )

  it('come in waves, each after what it needs', () => {
    expect(waves(issue(3, 1, 2), issue(1), issue(2, 1), issue(4))).toEqual([[1, 4], [2], [3]])
  })

  it('are all shown, also where they go round in a circle', () => {
    expect(waves(issue(1, 2), issue(2, 1), issue(3, 9))).toEqual([[1, 2, 3]])
  })

  it('are not guessed at where the file was broken', () => {
    for (const text of ['no json', '{"feature":1,"issues":[]}', '{"feature":"f","issues":[{"number":"1"}]}'])
      expect(readIssues(text)).toBeNull()
  })
})

describe('who stands where', () => {
  it('is told apart by whether they agree, the larger side first', () => {
    const { agreed, disagreed, alone } = standsOf([
      { question: 'where', choice: 'memory', roles: ['a'] },
      { question: 'where', choice: 'table', roles: ['b', 'c'] },
      { question: 'when', choice: 'now', roles: ['a', 'b'], kind: 'agreed' },
      { question: 'who', choice: 'the clerk', roles: ['c'], kind: 'alone' },
    ])
    expect(alone).toEqual([{ question: 'who', choices: [{ choice: 'the clerk', roles: ['c'] }] }])
    expect(agreed.map(({ question }) => question)).toEqual(['when'])
    expect(disagreed[0]!.choices.map(({ choice }) => choice)).toEqual(['table', 'memory'])
  })
})

describe('what was spent', () => {
  const view = { ...make.viewOf(make.started()), cost: { asks: 12, calls: 15, tokens: 5000, usd: 0.41 } }

  it('stands against the budget, and against what was expected', () => {
    const lines = spentOf(view, { usd: 2, calls: 400 })
    expect(lines[0]).toEqual({ name: 'money', spent: '$0.410', limit: '$2.00', expected: '$1.50', share: 0.205 })
    expect(lines[2]).toMatchObject({ limit: null, share: null })
    expect(spentLabel(lines)).toBe('$0.410 of $2.00')
  })

  it('says that a price is unknown instead of nothing', () => {
    const lines = spentOf({ ...view, cost: { ...view.cost, usd: null } }, { calls: 400 })
    expect(spentLabel(lines)).toBe('cost unknown · 12 of 400 asks')
    expect(lines[0]!.share).toBeNull()
  })
})
