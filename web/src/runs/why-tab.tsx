/** Where a line, a commit or an event came from, step by step, with its cost. */

import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { requestWords } from '../../../src/kernel/ask/cost.ts'
import { chainOf, type OriginLink } from '../../../src/runs/origin-view.ts'
import { runAddress } from '../data/addresses/run.ts'
import { issueAddress } from '../data/addresses/ship.ts'
import { findOrigin, type Origin } from '../data/calls/runs.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { AgentName } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { costWords, count, plural } from '../ui/format.ts'
import { LoadingText } from '../ui/loading-text.tsx'
import { timeOfDay } from './view/clock.ts'

export function WhyTab({ run, what }: { run: string; what: string | undefined }) {
  const [, navigate] = useLocation()
  const [typed, setTyped] = useState(what ?? '')
  const ask = () => {
    const wanted = typed.trim()
    if (wanted !== '') navigate(runAddress(run, { tab: 'why', what: wanted }), { replace: true })
  }
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-3 md:p-5" data-testid="why">
      <div className="mx-auto max-w-[720px]">
        <form
          className="flex gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            ask()
          }}
        >
          <label className="min-w-0 flex-1">
            <span className="sr-only">A commit, a line of a file, or an event</span>
            <input
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              placeholder="3f2a9c81d0, src/export.ts:12, or 4711"
              spellCheck={false}
              className="numbers h-[34px] w-full rounded-lg border border-line-strong bg-panel px-3 text-small placeholder:text-ink-3"
            />
          </label>
          <Button type="submit" weight="primary" className="h-[34px]" disabled={typed.trim() === ''}>
            Why?
          </Button>
        </form>
        <p className="mt-1.5 text-small text-ink-3">
          A commit, a line such as <code className="numbers">src/export.ts:12</code>, or the number of an event.
        </p>
        {what ? <Answer key={what} run={run} what={what} /> : null}
      </div>
    </div>
  )
}

function Answer({ run, what }: { run: string; what: string }) {
  const loaded = useLoaded(what, () => findOrigin(what))
  return (
    <div className="mt-5">
      {loaded.state === 'ready' ? (
        <Chain run={run} what={what} origin={loaded.value} />
      ) : (
        <LoadingText loaded={loaded} />
      )}
    </div>
  )
}

function Chain({ run, what, origin }: { run: string; what: string; origin: Origin }) {
  return (
    <>
      <ol data-testid="why-chain">
        {chainOf(what, origin).map((link) => (
          <li
            key={link.what}
            data-testid="station"
            data-what={link.what}
            className="relative border-l-2 border-line pb-4 pl-5 last:border-transparent last:pb-0"
          >
            <span
              aria-hidden="true"
              className="absolute top-1 -left-[7px] size-3 rounded-full border-2 border-accent bg-bg"
            />
            <h3 className="text-[13px] font-semibold">
              <LinkTitle link={link} origin={origin} />
            </h3>
            <LinkLines link={link} run={origin.run ?? run} />
          </li>
        ))}
      </ol>
      {origin.cost ? (
        <p className="mt-4 text-small text-ink-2" data-testid="why-cost">
          Cost: {requestWords(origin.cost)}, {count(origin.cost.tokens)} tokens,{' '}
          <b className="numbers font-medium">{costWords(origin.cost.usd)}</b>.
        </p>
      ) : null}
    </>
  )
}

function LinkTitle({ link: { what, title }, origin }: { link: OriginLink; origin: Origin }): ReactNode {
  const link = (href: string) => (
    <Link href={href} className="hover:underline">
      {title}
    </Link>
  )
  if (what === 'issue' && origin.issue) return link(issueAddress(origin.issue.feature, origin.issue.number))
  if (what === 'run' && origin.run) return link(runAddress(origin.run))
  return title
}

function LinkLines({ link: { what, lines, more }, run }: { link: OriginLink; run: string }) {
  return (
    <ul className="mt-0.5 space-y-0.5 text-small text-ink-2">
      {more ? <li className="text-ink-3">{plural(more, 'earlier one')}</li> : null}
      {lines.map(({ seq, ts, actor, text }, index) => (
        <li key={seq ?? index} className="flex items-baseline gap-2">
          {ts ? (
            <time dateTime={ts} className="numbers shrink-0 text-tiny text-ink-3">
              {timeOfDay(Date.parse(ts))}
            </time>
          ) : null}
          {actor ? <AgentName name={actor} className="shrink-0" /> : null}
          {seq === undefined ? (
            <span className={`wrap-anywhere ${what === 'asked' || what === 'run' ? 'numbers' : ''}`}>{text}</span>
          ) : (
            <Link
              href={runAddress(run, { tab: 'events', from: seq, at: seq })}
              className="min-w-0 wrap-anywhere hover:underline"
            >
              {text}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}
