/** Who did what and when, newest first. For owners. */
import { useState } from 'react'
import { Link } from 'wouter'
import { runAddress } from '../data/addresses/run.ts'
import { type AuditEntry, getAudit, type AuditPage as Page } from '../data/calls/team.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { Button } from '../ui/button.tsx'
import { clock, spaced } from '../ui/format.ts'
import { ListLoading } from '../ui/page/list-page.tsx'

export function AuditPage() {
  const [actor, setActor] = useState('')
  const first = useLoaded(`audit ${actor}`, () => getAudit(actor === '' ? {} : { actor }))
  return (
    <>
      <label className="mb-3 flex items-center gap-2 text-small text-ink-2">
        Only what was done by
        <input
          type="search"
          value={actor}
          onChange={(event) => setActor(event.target.value.trim())}
          placeholder="anyone"
          className="h-[30px] w-44 min-w-0 rounded-lg border border-line bg-panel px-2.5 placeholder:text-ink-3"
        />
      </label>
      {first.state === 'ready' ? (
        <Entries key={actor} first={first.value} actor={actor} />
      ) : (
        <ListLoading
          what="entries"
          problem={first.state === 'failed' ? first.problem : undefined}
          retry={() => first.state === 'failed' && first.retry()}
        />
      )}
    </>
  )
}

function Entries({ first, actor }: { first: Page; actor: string }) {
  const [more, setMore] = useState<Page[]>([])
  const [problem, setProblem] = useState<string>()
  const entries = [first, ...more].flatMap((page) => page.entries)
  const { next } = more.at(-1) ?? first
  const loadMore = () =>
    getAudit({ before: next!, ...(actor === '' ? {} : { actor }) }).then(
      (page) => setMore([...more, page]),
      (error: Error) => setProblem(error.message),
    )
  if (entries.length === 0) return <p className="text-ink-2">Nothing yet.</p>
  return (
    <>
      <ol data-testid="audit" className="rounded-[10px] border border-line bg-panel">
        {entries.map((entry) => (
          <Entry key={entry.seq} entry={entry} />
        ))}
      </ol>
      {problem ? <p className="mt-2 text-small text-bad">{problem}</p> : null}
      {next === null ? null : (
        <div className="mt-3">
          <Button onClick={() => void loadMore()}>Show earlier</Button>
        </div>
      )}
    </>
  )
}

function Entry({ entry: { ts, actor, action, target } }: { entry: AuditEntry }) {
  const { run, room, ...rest } = target
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 px-3.5 py-2 not-first:border-t not-first:border-line sm:grid-cols-[6.5rem_8rem_minmax(0,1fr)]">
      <time dateTime={ts} title={new Date(ts).toLocaleString()} className="pt-px text-small text-ink-3">
        {clock(ts)}
      </time>
      <span className="min-w-0 truncate font-medium">{actor}</span>
      <span className="col-span-2 min-w-0 sm:col-span-1">
        {spaced(action)}{' '}
        <span className="text-small break-words text-ink-3">
          {Object.values(rest).join(', ')}
          {room ? (
            <>
              {' '}
              <Link href={`/rooms/${room}`} className="text-accent underline underline-offset-2">
                room
              </Link>
            </>
          ) : null}
          {run ? (
            <>
              {' '}
              <Link href={runAddress(run)} className="text-accent underline underline-offset-2">
                run
              </Link>
            </>
          ) : null}
        </span>
      </span>
    </li>
  )
}
