/** A graph as Mermaid text, which GitHub, wikis and editors draw. Pure: nodes and edges in, text out. */

export type MermaidTone = 'plain' | 'live' | 'ok' | 'warn' | 'bad'

export interface MermaidNode {
  id: string
  /** Lines are kept. */
  label: string
  tone?: MermaidTone
}

export interface MermaidEdge {
  from: string
  to: string
  label?: string
  /** Dotted: a loose tie, such as a way back. */
  dotted?: boolean
}

export interface MermaidGraph {
  nodes: readonly MermaidNode[]
  edges: readonly MermaidEdge[]
  /** `LR` reads from left to right. */
  direction?: 'TB' | 'LR'
}

/** Edges to nodes that are not there are left out. */
export function toMermaid({ nodes, edges, direction = 'TB' }: MermaidGraph): string {
  const names = new Map(nodes.map(({ id }, index) => [id, `n${index + 1}`]))
  const lines = nodes.map(({ id, label, tone = 'plain' }) => {
    const look = tone === 'plain' ? '' : `:::${tone}`
    return `  ${names.get(id)}["${escaped(label)}"]${look}`
  })
  const ties = edges.flatMap(({ from, to, label, dotted }) => {
    const [one, other] = [names.get(from), names.get(to)]
    if (one === undefined || other === undefined) return []
    const words = label ? `|"${escaped(label)}"|` : ''
    return [`  ${one} ${dotted ? '-.->' : '-->'}${words} ${other}`]
  })
  const used = new Set(nodes.map(({ tone }) => tone))
  const looks = Object.entries(colours)
    .filter(([tone]) => used.has(tone as MermaidTone))
    .map(([tone, colour]) => `  classDef ${tone} ${colour}`)
  return [`flowchart ${direction}`, ...lines, ...ties, ...looks, ''].join('\n')
}

/** Light grounds with dark words: they can be read on a light page and on a dark one. */
const colours: Partial<Record<MermaidTone, string>> = {
  live: 'fill:#e6effe,stroke:#2460d6,color:#1c1b19',
  ok: 'fill:#e3f4ea,stroke:#17734a,color:#1c1b19',
  warn: 'fill:#fdf1dc,stroke:#8f5500,color:#1c1b19',
  bad: 'fill:#fdeae8,stroke:#b92f26,color:#1c1b19',
}

/** Whatever could end a label or become markup is written as a code, and a label is never empty. */
function escaped(text: string): string {
  const lines = text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, (character) => (character === '\n' ? '\n' : ' '))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (lines.length === 0) return ' '
  return lines
    .map((line) => line.replace(/[#"&<>`\\[\]{}|;]/g, (character) => `#${character.codePointAt(0)};`))
    .join('<br/>')
}
