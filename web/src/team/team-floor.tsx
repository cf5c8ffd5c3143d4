/** The team: the processes that do the work, its people, and what they did. Loaded on the first visit. */
import type { ReactNode } from 'react'
import { Link, Route, Switch } from 'wouter'
import { logOut, type Me } from '../data/calls/team.ts'
import { useMe } from '../data/calls/use-me.ts'
import { Button } from '../ui/button.tsx'
import { AuditPage } from './audit-page.tsx'
import { CapacityPage } from './capacity-page.tsx'
import { PeoplePage } from './people-page.tsx'

export function TeamFloor() {
  const me = useMe()
  return (
    <main className="min-h-0 min-w-0 flex-1 overflow-auto">
      <div className="mx-auto max-w-[980px] px-4 py-5 md:px-6">
        <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
          <h1 className="text-large font-semibold">Team</h1>
          <nav aria-label="Team" className="flex gap-1 text-small">
            <Tab href="/team">Capacity</Tab>
            {me?.role === 'owner' ? (
              <>
                <Tab href="/team/people">People</Tab>
                <Tab href="/team/audit">Audit</Tab>
              </>
            ) : null}
          </nav>
          <span className="flex-1" />
          {me ? <span className="text-small text-ink-3">You are {nameOf(me)}</span> : null}
          {me && me.name !== 'you' ? <LogOut /> : null}
        </div>
        <Switch>
          <Route path="/team/people">
            <PeoplePage />
          </Route>
          <Route path="/team/audit">
            <AuditPage />
          </Route>
          <Route>
            <CapacityPage />
          </Route>
        </Switch>
      </div>
    </main>
  )
}

/** The holder of the server's own token has no name. */
const nameOf = ({ name, role }: Me) => (name === 'you' ? `the ${role}` : `${name}, ${role}`)

/** Not a form: its request would have no origin that the server knows, because pages send no referrer. */
function LogOut() {
  return <Button onClick={() => void logOut().then(() => location.assign('/'))}>Log out</Button>
}

function Tab({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      className={(active) =>
        `rounded-lg px-2.5 py-1 ${active ? 'bg-accent-soft font-medium text-accent' : 'text-ink-2 hover:bg-hover'}`
      }
    >
      {children}
    </Link>
  )
}
