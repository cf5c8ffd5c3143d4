/** Switches between board and graph, and exports the graph. */
import { MermaidExport } from '../../ui/graph/mermaid-export.tsx'
import { Segmented } from '../../ui/page/segmented.tsx'
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
      <Segmented
        label="Show as"
        name="feature-picture"
        options={pictures}
        chosen={picture}
        onChoose={onPicture}
        title="Press g to switch"
      />
    </div>
  )
}
