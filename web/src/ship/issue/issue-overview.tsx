/** Why an issue is in its state: criteria, dependencies, and its history. */
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { IssueView } from '../../../../src/ship/view.ts'
import { buildAddress } from '../../data/addresses/build.ts'
import { planAddress } from '../../data/addresses/plan.ts'
import { buildOfSession, issueAddress } from '../../data/addresses/ship.ts'
import { Dot } from '../../ui/chip.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { clock, shortCommit } from '../../ui/format.ts'
import { Section } from '../../ui/section.tsx'
import { Markdown } from '../../ui/text/markdown.tsx'
import { WithCode } from '../../ui/text/with-code.tsx'
import { Unfold } from '../../ui/unfold.tsx'
import { ForgeLink } from '../board/board-card.tsx'
import type { FeatureState } from '../view/feature-store.ts'
import { attemptCount, type IssueCard } from '../view/issue-card.ts'
import type { HistoryEntry } from '../view/issue-history.ts'
import { shipSettings } from '../view/ship-settings-store.ts'

interface IssueOverviewProps {
  state: FeatureState
  issue: IssueView
  card: IssueCard
}

const link = 'text-accent underline underline-offset-2'

export function IssueOverview({ state, issue, card }: IssueOverviewProps) {
  const { timeline, view } = state
  const neededBy = view.issues.filter(({ depends_on }) => depends_on.includes(issue.number))
  return (
    <div data-testid="issue-overview">
      {card.reason || card.diagnosis || card.next ? (
        <div className="mb-1 space-y-1 rounded-lg bg-sunken px-2.5 py-2 text-small wrap-anywhere">
          {card.reason ? <p>{card.reason}</p> : null}
          {card.diagnosis && card.diagnosis !== card.reason ? (
            <p>
              <b className="font-medium">Diagnosis:</b> {card.diagnosis}
            </p>
          ) : null}
          {card.next ? (
            <p>
              <b className="font-medium">Next:</b> <WithCode text={card.next} />
            </p>
          ) : null}
        </div>
      ) : null}
      {issue.summary ? (
        <Section title="Summary">
          <p className="text-small wrap-anywhere">{issue.summary}</p>
        </Section>
      ) : null}
      <Section title="Criteria">
        <ul className="space-y-1.5">
          {issue.acceptance_criteria.map(({ id, text }) => (
            <li key={id} className="text-small">
              <code className="numbers mr-1.5 text-tiny text-ink-3">{id}</code>
              <span className="wrap-anywhere">{text}</span>
            </li>
          ))}
        </ul>
      </Section>
      {issue.body ? (
        <Section title="Description">
          <div className="text-small">
            <Markdown text={issue.body} />
          </div>
        </Section>
      ) : null}
      <Section title="Status">
        <Facts>
          {card.words ? <Fact name="now">{card.words}</Fact> : null}
          {issue.attempts > 0 ? (
            <Fact name="attempts">{attemptCount(issue.attempts, shipSettings.get()?.attempts ?? null)}</Fact>
          ) : null}
          {issue.session ? (
            <Fact name="build">
              <Link href={buildAddress(buildOfSession(issue.session))} className={link}>
                Open its build
              </Link>
            </Fact>
          ) : null}
          {card.commit ? (
            <Fact name="commit">
              <span className="inline-flex items-center gap-1">
                <code className="numbers">{shortCommit(card.commit)}</code>
                <CopyButton text={card.commit} label="Copy the commit" className="size-6" />
              </span>
            </Fact>
          ) : null}
          {issue.evidence.map(({ kind, detail }) => (
            <Fact key={`${kind} ${detail}`} name={kind === 'commit' ? 'in git' : kind}>
              {detail}
            </Fact>
          ))}
          {issue.tests === undefined ? null : <Fact name="tests">{issue.tests} ran and passed</Fact>}
          <Numbers name="needs" feature={view.feature} numbers={issue.depends_on} />
          <Numbers name="needed by" feature={view.feature} numbers={neededBy.map(({ number }) => number)} />
          <Numbers name="parts" feature={view.feature} numbers={card.parts} />
          <Numbers name="part of" feature={view.feature} numbers={card.partOf === null ? [] : [card.partOf]} />
          {card.elsewhere.map(({ branch, commit }) => (
            <Fact key={`${branch} ${commit}`} name="elsewhere">
              <code className="numbers">{branch}</code> has {shortCommit(commit)}; not counted, it is not in{' '}
              {view.main || 'the main branch'}
            </Fact>
          ))}
          {card.lock ? <Fact name="lock">{card.lock}</Fact> : null}
          <Fact name="size">{issue.size}</Fact>
          <Fact name="priority">
            business value {issue.business_value} of 1, risk {issue.risk} of 1
          </Fact>
          {card.github === null ? null : (
            <Fact name="forge">
              <ForgeLink number={card.github} />
            </Fact>
          )}
          {timeline.plan ? (
            <Fact name="plan">
              <Link href={planAddress(timeline.plan, 'decisions')} className={link}>
                Decisions behind this issue
              </Link>
            </Fact>
          ) : null}
        </Facts>
      </Section>
      <Failures issue={issue} />
      <Notices issue={issue} />
      <Section title="History">
        <History entries={timeline.history.get(issue.number) ?? []} />
      </Section>
    </div>
  )
}

function Numbers({ name, feature, numbers }: { name: string; feature: string; numbers: readonly number[] }) {
  if (numbers.length === 0) return null
  return (
    <Fact name={name}>
      {numbers.map((number, index) => (
        <span key={number}>
          {index > 0 ? ', ' : ''}
          <Link href={issueAddress(feature, number)} className={link}>
            #{number}
          </Link>
        </span>
      ))}
    </Fact>
  )
}

function Failures({ issue }: { issue: IssueView }) {
  if (issue.failures.length === 0 || issue.state === 'DONE') return null
  return (
    <Section title="Failures">
      <div className="space-y-1.5">
        {issue.failures.map(({ attempt, detail }, index) => (
          <Unfold key={attempt} label={`Attempt ${attempt}`} startOpen={index === issue.failures.length - 1}>
            <Output text={detail} />
          </Unfold>
        ))}
      </div>
    </Section>
  )
}

function Notices({ issue: { notices } }: { issue: IssueView }) {
  if (!notices || notices.length === 0) return null
  return (
    <Section title="On GitHub">
      <ul className="space-y-1 text-small">
        {notices.map(({ ts, change, by, label, text }) => (
          <li key={`${ts} ${change} ${label ?? ''}`} className="wrap-anywhere">
            <span className="numbers mr-1.5 text-tiny text-ink-3">{clock(ts)}</span>
            {by ?? 'someone'} {changes[change]}
            {label ? ` ${label}` : ''}
            {text ? <Output text={text} /> : null}
          </li>
        ))}
      </ul>
    </Section>
  )
}

const changes: Record<string, string> = {
  closed: 'closed it',
  reopened: 'reopened it',
  label_added: 'added the label',
  label_removed: 'removed the label',
  commented: 'wrote',
}

const shownAtFirst = 30

function History({ entries }: { entries: readonly HistoryEntry[] }) {
  const [all, setAll] = useState(false)
  if (entries.length === 0) return <p className="text-small text-ink-3">Nothing yet.</p>
  const shown = all ? entries : entries.slice(-shownAtFirst)
  return (
    <>
      {shown.length < entries.length ? (
        <button type="button" onClick={() => setAll(true)} className={`mb-1.5 text-small ${link}`}>
          Show {entries.length - shown.length} earlier
        </button>
      ) : null}
      <ol className="space-y-2" data-testid="issue-history">
        {shown.map((entry) => (
          <li key={entry.seq} className="grid grid-cols-[12px_minmax(0,1fr)] gap-x-2 text-small">
            <span className="flex pt-[6px]">
              <Dot tone={entry.tone === 'live' ? 'accent' : entry.tone} />
            </span>
            <span className="min-w-0">
              <Line entry={entry} />
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}

function Line({ entry: { ts, title, detail, rule } }: { entry: HistoryEntry }): ReactNode {
  return (
    <>
      <span className="flex items-baseline gap-2">
        <span className="min-w-0 flex-1 wrap-anywhere">{title}</span>
        {rule ? <code className="numbers shrink-0 text-tiny text-ink-3">{rule}</code> : null}
        <time dateTime={ts} className="numbers shrink-0 text-tiny text-ink-3">
          {clock(ts)}
        </time>
      </span>
      {detail ? (
        detail.length > 160 || detail.includes('\n') ? (
          <Unfold label="More">
            <Output text={detail} />
          </Unfold>
        ) : (
          <span className="block text-ink-2 wrap-anywhere">{detail}</span>
        )
      ) : null}
    </>
  )
}

function Output({ text }: { text: string }) {
  return (
    <pre className="numbers max-h-56 overflow-auto rounded-lg bg-sunken px-2.5 py-2 text-[11.5px] leading-[1.5] whitespace-pre-wrap text-ink-2 wrap-anywhere">
      {text}
    </pre>
  )
}
