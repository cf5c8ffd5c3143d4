/** An issue on the board: dependencies, current work, and the evidence that it is done. */
import { memo } from 'react'
import { Link } from 'wouter'
import { issueAddress } from '../../data/addresses/ship.ts'
import { markReviewed, unblock } from '../../data/calls/features.ts'
import type { Actions } from '../../data/use-actions.ts'
import { useWatched } from '../../data/watched.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Chip, type Tone } from '../../ui/chip.tsx'
import { Elapsed } from '../../ui/elapsed.tsx'
import { shortCommit } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import type { IssueCard } from '../view/issue-card.ts'
import { shipSettings } from '../view/ship-settings-store.ts'

interface BoardCardProps {
  feature: string
  card: IssueCard
  isOpen: boolean
  actions: Actions
}

const borders: Record<Tone, string> = {
  plain: 'border-line',
  live: 'border-live',
  ok: 'border-line',
  warn: 'border-warn',
  bad: 'border-bad',
}

export const BoardCard = memo(
  function BoardCard({ feature, card, isOpen, actions }: BoardCardProps) {
    const { number, title, state, tone, commit, github, since } = card
    return (
      <article
        aria-label={`Issue ${number}`}
        data-testid="issue-card"
        data-issue={number}
        data-state={state}
        data-open={isOpen || undefined}
        className={`rise relative rounded-[10px] border bg-panel px-3 py-2.5 transition-colors hover:border-line-strong data-open:outline-2 data-open:outline-accent has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent ${borders[tone]} ${state === 'SPLIT' ? 'border-dashed bg-bg' : ''}`}
      >
        <p className="numbers flex items-center gap-1.5 text-tiny text-ink-3">
          <span>
            #{number}
            {commit ? ` · ${shortCommit(commit)}` : ''}
          </span>
          <span className="flex-1" />
          {github === null ? null : <ForgeLink number={github} />}
          {since ? <Elapsed since={since} until={null} /> : null}
        </p>
        <Link
          href={issueAddress(feature, number)}
          aria-current={isOpen ? 'true' : undefined}
          className="line-clamp-3 wrap-anywhere text-[13px] leading-[1.4] font-medium outline-none after:absolute after:inset-0 after:rounded-[10px]"
        >
          {title}
        </Link>
        <Chips card={card} />
        <Words card={card} />
        <CardActions feature={feature} card={card} actions={actions} />
      </article>
    )
  },
  (before, now) =>
    before.card === now.card &&
    before.isOpen === now.isOpen &&
    before.feature === now.feature &&
    before.actions.busy === now.actions.busy,
)

function Chips({ card }: { card: IssueCard }) {
  const { words, tone, size, waitsFor, isNext, agent, evidence, state, partOf, parts, reviewed } = card
  const isOpen = state === 'READY' || state === 'BACKLOG'
  return (
    <p className="mt-1.5 flex flex-wrap gap-1 text-small empty:hidden">
      {words ? (
        <Chip tone={tone} className="whitespace-normal! text-tiny!">
          {words}
        </Chip>
      ) : null}
      {agent ? (
        <Chip className="max-w-full pl-1! text-tiny!">
          <Avatar name={agent} small />
          <span className="truncate">{agent}</span>
        </Chip>
      ) : null}
      {isNext && isOpen ? (
        <Chip tone="live" className="text-tiny!">
          next
        </Chip>
      ) : null}
      {isOpen ? <Chip className="text-tiny!">{size}</Chip> : null}
      {waitsFor.length > 0 && state !== 'SPLIT' ? (
        <Chip className="whitespace-normal! text-tiny!" title="Starts when these are done">
          after {waitsFor.map((one) => `#${one}`).join(', ')}
        </Chip>
      ) : null}
      {partOf === null ? null : <Chip className="text-tiny!">part of #{partOf}</Chip>}
      {parts.length > 0 ? (
        <Chip className="whitespace-normal! text-tiny!">{parts.map((one) => `#${one}`).join(', ')}</Chip>
      ) : null}
      {evidence.map(({ text, tone, title }) => (
        <Chip key={text} tone={tone} title={title} className="text-tiny!">
          {text}
        </Chip>
      ))}
      {reviewed === true ? (
        <Chip className="text-tiny!">
          <Icon name="check" size={12} />
          reviewed
        </Chip>
      ) : null}
    </p>
  )
}

function Words({ card: { reason, diagnosis, lock, elsewhere } }: { card: IssueCard }) {
  if (!reason && !diagnosis && !lock && elsewhere.length === 0) return null
  return (
    <div className="mt-1.5 space-y-1 text-small text-ink-2">
      {reason ? <p className="line-clamp-4 wrap-anywhere">{reason}</p> : null}
      {diagnosis && diagnosis !== reason ? (
        <p className="line-clamp-4 wrap-anywhere">
          <b className="font-medium text-ink">Diagnosis:</b> {diagnosis}
        </p>
      ) : null}
      {elsewhere.map(({ branch, commit }) => (
        <p key={`${branch} ${commit}`} className="flex items-baseline gap-1.5 text-tiny wrap-anywhere">
          <span className="shrink-0 translate-y-0.5">
            <Icon name="branch" size={12} />
          </span>
          <span>
            on <code className="numbers">{branch}</code> ({shortCommit(commit)}), not counted
          </span>
        </p>
      ))}
      {lock ? (
        <p className="flex items-center gap-1.5 text-tiny text-ink-3">
          <Icon name="lock" size={12} />
          {lock}
        </p>
      ) : null}
    </div>
  )
}

function CardActions({ feature, card, actions }: Omit<BoardCardProps, 'isOpen'>) {
  const { number, canUnblock, reviewed, state } = card
  if (canUnblock && state !== 'SKIPPED')
    return (
      <Button
        className="relative z-1 mt-2 h-6.5!"
        disabled={actions.busy !== null}
        aria-label={`Unblock issue ${number}`}
        onClick={() => void actions.act('unblocking', () => unblock(feature, number))}
      >
        Unblock
      </Button>
    )
  if (reviewed !== false) return null
  return (
    <Button
      weight="quiet"
      className="relative z-1 mt-1 -ml-1.5 h-6.5! px-1.5!"
      disabled={actions.busy !== null}
      aria-label={`Mark issue ${number} reviewed`}
      onClick={() => void actions.act('reviewing', () => markReviewed(feature, { issue: number }))}
    >
      <Icon name="check" size={13} />
      Mark reviewed
    </Button>
  )
}

export function ForgeLink({ number }: { number: number }) {
  const settings = useWatched(shipSettings)
  const address = settings?.forge.issues_url
  if (!address) return <span title="its number on GitHub">GitHub #{number}</span>
  return (
    <a
      href={`${address}${number}`}
      target="_blank"
      rel="noreferrer"
      className="relative z-1 underline-offset-2 hover:text-ink hover:underline"
    >
      GitHub #{number}
    </a>
  )
}
