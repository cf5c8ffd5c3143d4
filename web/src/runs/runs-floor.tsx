/** The runs floor: all runs, or one run. Loaded on the first visit. */
import { Route, Switch } from 'wouter'
import { NotFound } from '../ui/page-states.tsx'
import { RunPage } from './run-page.tsx'
import { RunsPage } from './runs-page.tsx'

export function RunsFloor() {
  return (
    <div className="flex min-h-0 min-w-0 flex-1">
      <Switch>
        <Route path="/runs">
          <RunsPage />
        </Route>
        <Route path="/runs/:run">
          {({ run }) => {
            const id = decodeURIComponent(run)
            return <RunPage key={id} run={id} />
          }}
        </Route>
        <Route>
          <NotFound title="Page not found" list="/runs" all="runs" />
        </Route>
      </Switch>
    </div>
  )
}
