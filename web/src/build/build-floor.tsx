/** The build floor: the list of builds, one build, or the form that begins one. Comes with the first visit to it. */
import './view/build.css'
import { lazy, Suspense } from 'react'
import { Route, Switch, useLocation, useRoute } from 'wouter'
import { buildAddress } from '../data/addresses/build.ts'
import { useList } from '../data/feed/followed-list.ts'
import { useKeys } from '../ui/keyboard/use-keys.ts'
import { narrowScreen, useMedia } from '../ui/use-media.ts'
import { BuildList } from './build-list.tsx'
import { BuildPage } from './build-page.tsx'
import { BuildsPage } from './builds-page.tsx'
import { builds } from './view/builds-store.ts'

const NewBuildPage = lazy(() =>
  import('./new/new-build-page.tsx').then(({ NewBuildPage }) => ({ default: NewBuildPage })),
)

export function BuildFloor() {
  const narrow = useMedia(narrowScreen)
  const [, navigate] = useLocation()
  const [, inBuild] = useRoute('/builds/:build/*?')
  const open = inBuild && inBuild.build !== 'new' ? decodeURIComponent(inBuild.build) : null
  const { lines: known } = useList(builds)
  const step = (by: number) => {
    const at = known?.findIndex(({ id }) => id === open) ?? -1
    const next = known?.[Math.min(known.length - 1, Math.max(0, at + by))]
    if (next && next.id !== open) navigate(buildAddress(next.id))
  }
  useKeys({
    n: () => navigate('/builds/new'),
    j: () => step(1),
    k: () => step(-1),
    'Alt+ArrowDown': () => step(1),
    'Alt+ArrowUp': () => step(-1),
  })
  return (
    <>
      {narrow ? null : (
        <section
          aria-label="Builds and nodes"
          className="flex w-58 shrink-0 flex-col border-r border-line max-[900px]:w-48"
        >
          <BuildList open={open} />
        </section>
      )}
      <div className="flex min-h-0 min-w-0 flex-1">
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
        </Switch>
      </div>
    </>
  )
}

function page(name: string, node: string | null) {
  const build = decodeURIComponent(name)
  return <BuildPage key={build} build={build} node={node} />
}
