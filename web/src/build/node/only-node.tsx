/** The page of a build of one node: everything about the node at once. */
import type { BuildView } from '../../../../src/build/view.ts'
import { Section } from '../../ui/section.tsx'
import { useMedia, wideScreen } from '../../ui/use-media.ts'
import type { ShownStatus } from '../view/labels.ts'
import type { NodeCard } from '../view/node-card.ts'
import { BuildOverview } from './build-overview.tsx'
import { ChangesTab } from './changes-tab.tsx'
import { NodePanel } from './node-panel.tsx'

export function OnlyNode({ view, card, status }: { view: BuildView; card: NodeCard; status: ShownStatus }) {
  const wide = useMedia(wideScreen)
  const node = view.nodes[0]!
  return (
    <div className="mx-auto flex h-full max-w-[900px] flex-col pt-2">
      <NodePanel view={view} node={node} card={card}>
        {node.commits.length > 0 ? (
          <Section title="Changes">
            <ChangesTab build={view.id} node={node} />
          </Section>
        ) : null}
        {wide ? null : <BuildOverview view={view} status={status} brief />}
      </NodePanel>
    </div>
  )
}
