/** Who did what and when, newest first. For owners. */
import { Fragment, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { runAddress } from '../data/addresses/run.ts'
import { type AuditEntry, getAudit, getUsers, type AuditPage as Page } from '../data/calls/team.ts'
import { useMe } from '../data/calls/use-me.ts'
import { live } from '../data/feed/live.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { useWatched } from '../data/watched.ts'
import { Button } from '../ui/button.tsx'
import { dayOf, timeOf } from '../ui/format.ts'
import { ListLoading } from '../ui/page/list-page.tsx'
import { actionWords } from './action-words.ts'

const everyMs = 5000

export function AuditPage() {
  const [actor, setActor] = useState('')
  const { page, entries, problem, read, loadMore } = useAudit(actor)
  const users = useLoaded('users', getUsers)
  const known = users.state === 'ready' ? users.value.map(({ name }) => name) : []
  // Users who were removed are known by what they did.
  const actors = [...new Set(['you', ...known, ...entries.map((entry) => entry.actor), ...(actor ? [actor] : [])])]
  return (
    <>
      <label className="mb-3 flex items-center gap-2 text-small text-ink-2">
        Done by
        <select
          value={actor}
          onChange={(event) => setActor(event.target.value)}
          className="h-[30px] min-w-0 max-w-60 rounded-lg border border-line-strong bg-panel px-2"
        >
          <option value="">anyone</option>
          {actors.map((name) => (
            <option key={name} value={name}>
              {name === 'you' ? "you (the server's token)" : name}
            </option>
          ))}
        </select>
      </label>
      {problem !== undefined && page ? (
        <p role="alert" className="mb-3 text-small text-bad">
          {problem}
        </p>
      ) : null}
      {page ? <Entries entries={entries} /> : <ListLoading what="entries" problem={problem} retry={read} />}
      {page && page.next !== null ? (
        <div className="mt-3">
          <Button onClick={loadMore}>Show earlier</Button>
        </div>
      ) : null}
    </>
  )
}

/** The newest page is read again every few seconds while the page is visible; earlier ones on request. */
function useAudit(actor: string) {
  const [kept, setKept] = useState<{ actor: string; entries: AuditEntry[]; page: Page } | null>(null)
  const [problem, setProblem] = useState<string>()
  const wanted = actor === '' ? {} : { actor }
  const fail = (error: Error) => setProblem(error.message)
  const read = () =>
    getAudit(wanted).then((page) => {
      setProblem(undefined)
      setKept((before) => {
        const earlier = before?.actor === actor ? before : null
        const oldest = page.entries.at(-1)?.seq ?? 0
        const older = earlier?.entries.filter(({ seq }) => seq < oldest) ?? []
        // Where more has happened than one page holds, the list begins anew: a gap would look like nothing.
        const joins = older.length > 0 && earlier!.entries.some(({ seq }) => seq === oldest)
        return joins
          ? { actor, entries: [...page.entries, ...older], page: earlier!.page }
          : { actor, entries: page.entries, page }
      })
    }, fail)
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads anew for another actor alone
  useEffect(() => {
    void read()
    const timer = setInterval(() => document.visibilityState === 'visible' && void read(), everyMs)
    return () => clearInterval(timer)
  }, [actor])
  const current = kept?.actor === actor ? kept : null
  const loadMore = () =>
    void getAudit({ ...wanted, before: current!.page.next! }).then(
      (page) => setKept((before) => before && { ...before, entries: [...before.entries, ...page.entries], page }),
      fail,
    )
  return { page: current?.page, entries: current?.entries ?? [], problem, read, loadMore }
}

function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  const me = useMe()
  if (entries.length === 0)
    return (
      <p className="max-w-prose text-ink-2">
        {me?.shared === false
          ? 'Convene records who does what once the project has users; see People.'
          : 'Nothing yet. What people create, ask, start, stop and change appears here.'}
      </p>
    )
  const days = Map.groupBy(entries, ({ ts }) => dayOf(ts))
  return (
    <div data-testid="audit">
      {[...days].map(([day, list]) => (
        <Fragment key={day}>
          <h2 className="caption mt-4 mb-2 first:mt-0">{day}</h2>
          <ol className="rounded-[10px] border border-line bg-panel">
            {list.map((entry) => (
              <Entry key={entry.seq} entry={entry} />
            ))}
          </ol>
        </Fragment>
      ))}
    </div>
  )
}

function Entry({ entry: { ts, actor, action, target } }: { entry: AuditEntry }) {
  const rooms = useWatched(live.rooms) ?? []
  const { run, room, name, ...rest } = target
  const named = room === undefined ? undefined : (rooms.find(({ id }) => id === room)?.name ?? name ?? 'a room')
  return (
    <li className="flex items-baseline gap-3 px-3.5 py-2 not-first:border-t not-first:border-line">
      <time dateTime={ts} title={new Date(ts).toLocaleString()} className="numbers shrink-0 text-small text-ink-3">
        {timeOf(ts)}
      </time>
      <p className="min-w-0 flex-1 break-words">
        <span className="font-medium">{actor}</span> <span className="text-ink-2">{actionWords(action)}</span>{' '}
        {named === undefined ? null : (
          <Link href={`/rooms/${room}`} className="font-medium hover:underline">
            {named}
          </Link>
        )}
        <span className="text-ink">{Object.values(rest).join(', ')}</span>
      </p>
      {run ? (
        <Link href={runAddress(run)} className="shrink-0 text-small text-accent underline-offset-2 hover:underline">
          run
        </Link>
      ) : null}
    </li>
  )
}
