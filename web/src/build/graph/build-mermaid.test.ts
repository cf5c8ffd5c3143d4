import { describe, expect, it } from 'vitest'
import { toMermaid } from '../../ui/graph/mermaid.ts'
import * as make from '../view/build.fixture.ts'
import { cardsOf } from '../view/node-card.ts'
import { buildMermaid } from './build-mermaid.ts'
import { edgesOf } from './graph-edges.ts'

describe('a build as Mermaid', () => {
  it('has its parts, what they wait for and which would conflict', () => {
    const view = make.viewOf([
      make.started(),
      make.node(['root']),
      make.node(['root', 'a']),
      make.node(['root', 'b'], ['a']),
      make.forecast(['root', 'a'], 'b', ['src/one.ts']),
    ])
    const cards = cardsOf(view)
    const text = toMermaid(buildMermaid(cards, edgesOf(cards, view.routes, view.forecasts, 0)))
    expect(text.split('\n').filter((line) => line.includes('>') && !line.includes('['))).toEqual([
      '  n1 --> n2',
      '  n1 --> n3',
      '  n2 -.->|"before"| n3',
      '  n2 -.->|"would conflict in src/one.ts"| n3',
    ])
    expect(text).toContain('n1["root<br/>about to start"]')
  })
})
