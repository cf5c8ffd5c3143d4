/** All phases with their status, and where the plan was sent back. */
import { type KeyboardEvent, useRef } from 'react'
import { Link } from 'wouter'
import type { PlanView } from '../../../../src/plan/view.ts'
import { phaseAddress } from '../../data/addresses/plan.ts'
import { Dot, type Tone } from '../../ui/chip.tsx'
import { joinNames } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { phaseTitle } from '../view/labels.ts'
import type { PhaseCard } from '../view/phase-card.ts'

interface PhaseBoardProps {
  view: PlanView
  cards: readonly PhaseCard[]
  selected: string | null
}

export function PhaseBoard({ view, cards, selected }: PhaseBoardProps) {
  const board = useRef<HTMLOListElement>(null)
  const move = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (by === undefined) return
    const links = [...(board.current?.querySelectorAll<HTMLElement>('a') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    if (at === -1) return
    event.preventDefault()
    links[at + by]?.focus()
  }
  return (
    <section aria-label="Phases" className="border-b border-line px-3 py-3 md:px-5">
      <ol
        ref={board}
        onKeyDown={move}
        className="grid grid-cols-[repeat(auto-fill,minmax(94px,1fr))] gap-1.5 max-[759px]:grid-cols-3"
      >
        {cards.map((card) => (
          <li key={card.id} className="flex min-w-0">
            <Card run={view.run} card={card} isHere={card.id === selected} />
          </li>
        ))}
      </ol>
      <Returns view={view} />
    </section>
  )
}

const grounds: Record<Tone, string> = {
  plain: 'border-line bg-panel',
  live: 'border-live bg-panel shadow-[0_0_0_3px_var(--live-soft)]',
  ok: 'border-transparent bg-ok-soft',
  warn: 'border-warn bg-warn-soft',
  bad: 'border-bad bg-bad-soft',
}

const inks: Record<Tone, string> = {
  plain: 'text-ink-3',
  live: 'text-live',
  ok: 'text-ok',
  warn: 'text-warn',
  bad: 'text-bad',
}

function Card({ run, card, isHere }: { run: string; card: PhaseCard; isHere: boolean }) {
  const { id, title, state, tone, words, pass, team, cast, beside } = card
  const shape = 'flex min-w-0 flex-1 flex-col rounded-lg border px-1.5 py-1.5 text-left'
  const head = (
    <span className="flex items-center gap-1 text-tiny text-ink-3">
      <span className="numbers">{id}</span>
      {pass > 1 ? <span className="truncate">· pass {pass}</span> : null}
      {beside.length > 0 ? (
        <span className="truncate" title={`runs in parallel with ${joinNames(beside.map(phaseTitle))}`}>
          ∥ {beside.join(', ')}
        </span>
      ) : null}
      <span className="flex-1" />
      {state === 'left-out' ? null : <Dot tone={tone} />}
    </span>
  )
  if (state === 'left-out')
    return (
      <span
        data-testid="phase-card"
        data-phase={id}
        data-state={state}
        className={`${shape} border-dashed border-line`}
      >
        {head}
        <span className="truncate text-small text-ink-3">{title}</span>
        <span className="text-tiny text-ink-3">{words}</span>
      </span>
    )
  return (
    <Link
      href={phaseAddress(run, id)}
      data-testid="phase-card"
      data-phase={id}
      data-state={state}
      aria-current={isHere ? 'page' : undefined}
      title={cast.length > 0 ? cast.join(', ') : undefined}
      className={`${shape} ${grounds[tone]} hover:border-line-strong aria-[current=page]:outline-2 aria-[current=page]:outline-offset-1 aria-[current=page]:outline-accent`}
    >
      {head}
      <span className="truncate text-small font-medium">{title}</span>
      <span className={`text-tiny leading-[14px] ${inks[tone]}`}>{words}</span>
      {team ? <span className="mt-auto pt-0.5 text-tiny leading-[14px] text-ink-3">{team}</span> : null}
    </Link>
  )
}

function Returns({ view }: { view: PlanView }) {
  if (view.returns.length === 0) return null
  return (
    <ul className="mt-2.5 space-y-1" data-testid="returns" aria-label="Sent back">
      {view.returns.map(({ from, to, rerun, reason }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was sent back stays in its place
        <li key={index} className="flex items-baseline gap-2 text-small text-ink-2">
          <span className="shrink-0 translate-y-[3px] -scale-x-100 text-warn">
            <Icon name="handoff" size={14} />
          </span>
          <span className="min-w-0">
            <b className="font-medium text-ink">
              {phaseTitle(from)} → {phaseTitle(to)}
            </b>
            , {joinNames(rerun.map((id) => phaseTitle(id).toLowerCase()))} done again.{' '}
            <span className="wrap-anywhere">{reason}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
