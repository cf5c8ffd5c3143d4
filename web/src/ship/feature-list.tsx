/** All features, those under way first; and whether what is shown here is true in git and on GitHub as well. */
import { Link, useLocation } from 'wouter'
import { featureAddress, newAddress } from '../data/addresses/ship.ts'
import { useList } from '../data/feed/followed-list.ts'
import { IconButton } from '../ui/button.tsx'
import { Dot } from '../ui/chip.tsx'
import { SyncStatus } from './sync-status.tsx'
import { features } from './view/features-store.ts'
import { type ListedFeature, lineLabel } from './view/listed-features.ts'

export function FeatureList({ open }: { open: string | null }) {
  const { lines: known } = useList(features)
  const [, navigate] = useLocation()
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-2.5 py-3.5">
      <div className="mb-1 flex items-center justify-between pl-2">
        <h2 className="caption">
          <Link href="/features" className="hover:text-ink">
            Features
          </Link>
        </h2>
        <IconButton icon="plus" label="Ship something" onClick={() => navigate(newAddress('goal'))} />
      </div>
      <nav aria-label="Features">
        <ul>
          {known?.map((line) => (
            <li key={line.feature}>
              <FeatureLink line={line} isOpen={line.feature === open} />
            </li>
          ))}
        </ul>
        {known?.length === 0 ? <p className="px-2 py-1 text-small text-ink-3">None yet.</p> : null}
      </nav>
      <SyncStatus feature={open} />
    </div>
  )
}

function FeatureLink({ line, isOpen }: { line: ListedFeature; isOpen: boolean }) {
  const { word, tone } = lineLabel(line)
  return (
    <Link
      href={featureAddress(line.feature)}
      aria-current={isOpen ? 'page' : undefined}
      title={line.ship?.goal || line.feature}
      className="flex items-center gap-2 rounded-[7px] px-2 py-[7px] text-ink-2 hover:bg-hover aria-[current=page]:bg-accent-soft aria-[current=page]:text-ink"
    >
      <Dot tone={tone} />
      <span className="min-w-0 truncate font-medium">{line.feature}</span>
      <span className="sr-only">({word})</span>
      <span className="numbers ml-auto shrink-0 text-tiny text-ink-3">
        {line.issues === 0 ? 'plan' : `${line.done}/${line.issues}`}
        <span className="sr-only">{line.issues === 0 ? '' : ' issues done'}</span>
      </span>
    </Link>
  )
}
