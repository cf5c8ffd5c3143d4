/** All features, active ones first; and whether git and GitHub are in sync. */
import { useLocation } from 'wouter'
import { featureAddress, newAddress } from '../data/addresses/ship.ts'
import { useList } from '../data/feed/followed-list.ts'
import { CutName } from '../ui/cut-name.tsx'
import { SideLink, SideList } from '../ui/page/side-list.tsx'
import { SyncStatus } from './sync-status.tsx'
import { features } from './view/features-store.ts'
import { type ListedFeature, lineLabel } from './view/listed-features.ts'

export function FeatureList({ open }: { open: string | null }) {
  const { lines } = useList(features)
  const [, navigate] = useLocation()
  return (
    <SideList
      title="Features"
      href="/features"
      create="New feature"
      onCreate={() => navigate(newAddress('goal'))}
      lines={lines}
      keyOf={({ feature }) => feature}
      line={(line) => <FeatureLink line={line} isOpen={line.feature === open} />}
    >
      <SyncStatus feature={open} />
    </SideList>
  )
}

function FeatureLink({ line, isOpen }: { line: ListedFeature; isOpen: boolean }) {
  const { word, tone } = lineLabel(line)
  return (
    <SideLink
      href={featureAddress(line.feature)}
      isOpen={isOpen}
      tone={tone}
      status={word}
      title={line.ship?.goal || line.feature}
      aside={
        <span className="numbers">
          {line.issues === 0 ? 'plan' : `${line.done}/${line.issues}`}
          <span className="sr-only">{line.issues === 0 ? '' : ' issues done'}</span>
        </span>
      }
    >
      <CutName name={line.feature} />
    </SideLink>
  )
}
