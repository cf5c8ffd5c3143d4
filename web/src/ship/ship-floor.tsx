/** The ship floor: all features, one feature, or the form that starts one. Loaded on the first visit. */
import { useEffect } from 'react'
import { Route, Switch, useLocation, useRoute, useSearch } from 'wouter'
import { featureAddress, newAddress } from '../data/addresses/ship.ts'
import { useList } from '../data/feed/followed-list.ts'
import { FloorFrame } from '../ui/page/floor-frame.tsx'
import { NotFound } from '../ui/page-states.tsx'
import { FeatureList } from './feature-list.tsx'
import { FeaturePage } from './feature-page.tsx'
import { FeaturesPage } from './features-page.tsx'
import { NewWorkPage } from './new/new-work-page.tsx'
import { features } from './view/features-store.ts'
import { readShipSettings } from './view/ship-settings-store.ts'
import { readOutbox } from './view/sync-store.ts'

export function ShipFloor() {
  const [, navigate] = useLocation()
  const [, inFeature] = useRoute('/features/:feature/*?')
  const open = inFeature ? decodeURIComponent(inFeature.feature) : null
  const wanted = new URLSearchParams(useSearch()).get('new')
  const { lines: known } = useList(features)
  useEffect(() => {
    void readShipSettings()
    void readOutbox()
  }, [])
  return (
    <FloorFrame
      label="Features"
      list={<FeatureList open={open} />}
      ids={known?.map(({ feature }) => feature) ?? []}
      open={open}
      onOpen={(id) => navigate(featureAddress(id))}
      onCreate={() => navigate(newAddress('goal'))}
    >
      <Switch>
        <Route path="/features">
          {wanted === null ? <FeaturesPage /> : <NewWorkPage kind={wanted === 'issues' ? 'issues' : 'goal'} />}
        </Route>
        <Route path="/features/:feature/issues/:issue">{({ feature, issue }) => page(feature, Number(issue))}</Route>
        <Route path="/features/:feature">{({ feature }) => page(feature, null)}</Route>
        <Route>
          <NotFound title="Page not found" list="/features" all="features" />
        </Route>
      </Switch>
    </FloorFrame>
  )
}

function page(name: string, issue: number | null) {
  const feature = decodeURIComponent(name)
  return <FeaturePage key={feature} feature={feature} issue={issue} />
}
