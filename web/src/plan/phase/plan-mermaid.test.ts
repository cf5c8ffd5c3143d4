import { describe, expect, it } from 'vitest'
import * as make from '../view/plan.fixture.ts'
import { planMermaid } from './plan-mermaid.ts'

describe('a plan as Mermaid', () => {
  const steps: Parameters<typeof make.started>[0] = [['1'], ['2'], ['4'], ['7', '8'], ['9']]

  it('has the phases it goes through, side by side where they are, and where it was sent back', () => {
    const view = make.viewOf(make.started(steps), make.begun('1'), make.ended('1'), make.returned('4', '2', ['2', '4']))
    const { nodes, edges } = planMermaid(view, false)
    expect(nodes.map(({ id }) => id)).toEqual(['1', '2', '4', '7', '8', '9'])
    expect(nodes[0]).toMatchObject({ label: expect.stringMatching(/^1 Setup\ndone$/), tone: 'ok' })
    expect(edges.map(({ from, to }) => `${from} ${to}`)).toEqual(['1 2', '2 4', '4 7', '4 8', '7 9', '8 9', '4 2'])
    expect(edges.at(-1)).toMatchObject({ label: 'sent back', dotted: true })
  })
})
