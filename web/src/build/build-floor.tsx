/** The build floor: all builds, one build, or the form that starts one. Loaded on the first visit. */
import './view/build.css'
import { lazy, Suspense } from 'react'
import { Route, Switch, useLocation, useRoute } from 'wouter'
import { buildAddress } from '../data/addresses/build.ts'
import { useList } from '../data/feed/followed-list.ts'
import { FloorFrame } from '../ui/page/floor-frame.tsx'
import { NotFound } from '../ui/page-states.tsx'
import { BuildList } from './build-list.tsx'
import { BuildPage } from './build-page.tsx'
import { BuildsPage } from './builds-page.tsx'
import { builds } from './view/builds-store.ts'

const NewBuildPage = lazy(() =>
  import('./new/new-build-page.tsx').then(({ NewBuildPage }) => ({ default: NewBuildPage })),
)

export function BuildFloor() {
  const [, navigate] = useLocation()
  const [, inBuild] = useRoute('/builds/:build/*?')
  const open = inBuild && inBuild.build !== 'new' ? decodeURIComponent(inBuild.build) : null
  const { lines: known } = useList(builds)
  return (
    <FloorFrame
      label="Builds and nodes"
      list={<BuildList open={open} />}
      ids={known?.map(({ id }) => id) ?? []}
      open={open}
      onOpen={(id) => navigate(buildAddress(id))}
      onCreate={() => navigate('/builds/new')}
    >
      <Switch>
        <Route path="/builds">
          <BuildsPage />
        </Route>
        <Route path="/builds/new">
          <Suspense fallback={<div className="flex-1" />}>
            <NewBuildPage />
          </Suspense>
        </Route>
        <Route path="/builds/:build/nodes/*">{(at) => page(at.build, decodeURIComponent(at['*'] ?? ''))}</Route>
        <Route path="/builds/:build">{(at) => page(at.build, null)}</Route>
        <Route>
          <NotFound title="Page not found" list="/builds" all="builds" />
        </Route>
      </Switch>
    </FloorFrame>
  )
}

function page(name: string, node: string | null) {
  const build = decodeURIComponent(name)
  return <BuildPage key={build} build={build} node={node} />
}
