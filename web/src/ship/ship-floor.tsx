/** The ship floor: features, one feature with its issues, or the form that begins one. Comes with the first visit to it. */
import { useEffect } from 'react'
import { Route, Switch, useLocation, useRoute, useSearch } from 'wouter'
import { featureAddress, newAddress } from '../data/addresses/ship.ts'
import { useList } from '../data/feed/followed-list.ts'
import { useKeys } from '../ui/keyboard/use-keys.ts'
import { narrowScreen, useMedia } from '../ui/use-media.ts'
import { FeatureList } from './feature-list.tsx'
import { FeaturePage } from './feature-page.tsx'
import { FeaturesPage } from './features-page.tsx'
import { NewWorkPage } from './new/new-work-page.tsx'
import { features } from './view/features-store.ts'
import { readShipSettings } from './view/ship-settings-store.ts'
import { readOutbox } from './view/sync-store.ts'

export function ShipFloor() {
  const narrow = useMedia(narrowScreen)
  const [, navigate] = useLocation()
  const [, inFeature] = useRoute('/features/:feature/*?')
  const open = inFeature ? decodeURIComponent(inFeature.feature) : null
  const wanted = new URLSearchParams(useSearch()).get('new')
  const { lines: known } = useList(features)
  useEffect(() => {
    void readShipSettings()
    void readOutbox()
  }, [])
  const step = (by: number) => {
    const at = known?.findIndex(({ feature }) => feature === open) ?? -1
    const next = known?.[Math.min(known.length - 1, Math.max(0, at + by))]
    if (next && next.feature !== open) navigate(featureAddress(next.feature))
  }
  useKeys({
    n: () => navigate(newAddress('goal')),
    j: () => step(1),
    k: () => step(-1),
    'Alt+ArrowDown': () => step(1),
    'Alt+ArrowUp': () => step(-1),
  })
  return (
    <>
      {narrow ? null : (
        <section aria-label="Features" className="flex w-58 shrink-0 flex-col border-r border-line max-[900px]:w-48">
          <FeatureList open={open} />
        </section>
      )}
      <div className="flex min-h-0 min-w-0 flex-1">
        <Switch>
          <Route path="/features">
            {wanted === null ? <FeaturesPage /> : <NewWorkPage kind={wanted === 'issues' ? 'issues' : 'goal'} />}
          </Route>
          <Route path="/features/:feature/issues/:issue">{({ feature, issue }) => page(feature, Number(issue))}</Route>
          <Route path="/features/:feature">{({ feature }) => page(feature, null)}</Route>
        </Switch>
      </div>
    </>
  )
}

function page(name: string, issue: number | null) {
  const feature = decodeURIComponent(name)
  return <FeaturePage key={feature} feature={feature} issue={issue} />
}
