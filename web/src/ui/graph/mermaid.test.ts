import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toMermaid } from './mermaid.ts'

describe('a graph as Mermaid', () => {
  it('names nodes by number, keeps their words, and draws ties', () => {
    const text = toMermaid({
      nodes: [
        { id: 'a', label: '#1 Schedule\ndone', tone: 'ok' },
        { id: 'end', label: 'end' },
      ],
      edges: [
        { from: 'a', to: 'end' },
        { from: 'end', to: 'a', label: 'sent back', dotted: true },
      ],
      direction: 'LR',
    })
    expect(text).toBe(
      [
        'flowchart LR',
        '  n1["#35;1 Schedule<br/>done"]:::ok',
        '  n2["end"]',
        '  n1 --> n2',
        '  n2 -.->|"sent back"| n1',
        '  classDef ok fill:#e3f4ea,stroke:#17734a,color:#1c1b19',
        '',
      ].join('\n'),
    )
  })

  it('leaves out ties to nodes that are not there', () => {
    expect(toMermaid({ nodes: [{ id: 'a', label: 'a' }], edges: [{ from: 'a', to: 'gone' }] })).not.toContain('-->')
  })

  it('gives a node without words a place all the same', () => {
    expect(toMermaid({ nodes: [{ id: 'a', label: ' \n ' }], edges: [] })).toContain('n1[" "]')
  })

  it('lets no label out of its quotes, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (label) => {
        const [, line, ...rest] = toMermaid({ nodes: [{ id: 'a', label }], edges: [] }).split('\n')
        expect(rest).toEqual([''])
        const inside = /^ {2}n1\["(.*)"\]$/.exec(line!)?.[1]?.replaceAll('<br/>', '')
        expect(inside).toMatch(/^[^"<>&`\\[\]{}|]*$/)
        expect(inside!.replace(/#\d+;/g, '')).not.toMatch(/[#;]/)
      }),
    )
  })
})
