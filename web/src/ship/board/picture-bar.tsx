/** Board or graph, and the graph as text. */
import { MermaidExport } from '../../ui/graph/mermaid-export.tsx'
import type { IssueCard } from '../view/issue-card.ts'
import { issueMermaid } from './issue-edges.ts'

export type Picture = 'board' | 'graph'

const pictures: { id: Picture; label: string }[] = [
  { id: 'board', label: 'Board' },
  { id: 'graph', label: 'Graph' },
]

interface PictureBarProps {
  picture: Picture
  onPicture(picture: Picture): void
  feature: string
  cards: readonly IssueCard[]
}

export function PictureBar({ picture, onPicture, feature, cards }: PictureBarProps) {
  return (
    <div className="flex items-center gap-2">
      <h2 className="text-[13px] font-semibold">Issues</h2>
      <span className="flex-1" />
      <MermaidExport graph={() => issueMermaid(cards)} name={feature} />
      <div
        role="radiogroup"
        aria-label="Show as"
        title="Press g to switch"
        className="flex shrink-0 overflow-hidden rounded-lg border border-line text-small"
      >
        {pictures.map(({ id, label }) => (
          <label
            key={id}
            className="px-2.5 py-0.5 text-ink-2 not-first:border-l not-first:border-line has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="feature-picture"
              className="sr-only"
              checked={picture === id}
              onChange={() => onPicture(id)}
            />
            {label}
          </label>
        ))}
      </div>
    </div>
  )
}
