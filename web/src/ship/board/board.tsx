/** The issues by state. Arrow keys move between cards. */
import { type KeyboardEvent, useRef, useState } from 'react'
import type { Actions } from '../../data/use-actions.ts'
import { Button } from '../../ui/button.tsx'
import { byColumn, type Column, columns, type IssueCard } from '../view/issue-card.ts'
import { BoardCard } from './board-card.tsx'
import { besideOnBoard } from './neighbours.ts'

interface BoardProps {
  feature: string
  cards: readonly IssueCard[]
  selected: number | null
  actions: Actions
}

/** Cards a column shows at first. */
const shownAtFirst = 60

export function Board({ feature, cards, selected, actions }: BoardProps) {
  const board = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<ReadonlySet<Column>>(new Set())
  const found = byColumn(cards)
  const shown = columns
    .filter(({ id }) => id !== 'backlog' || found.has(id))
    .map(({ id, title }) => {
      const all = found.get(id) ?? []
      return { id, title, count: all.length, cards: opened.has(id) ? all : all.slice(0, shownAtFirst) }
    })
  const move = (event: KeyboardEvent) => {
    const next = besideOnBoard(
      shown.map((column) => column.cards),
      focused(),
      event.key,
    )
    if (next === undefined) return
    event.preventDefault()
    board.current?.querySelector<HTMLElement>(`[data-issue="${next}"] a`)?.focus()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div
      ref={board}
      role="group"
      aria-label="Board"
      data-testid="board"
      onKeyDown={move}
      className={`grid grid-cols-1 items-start gap-x-3 gap-y-4 @md:grid-cols-2 @xl:grid-cols-3 ${shown.length > 5 ? '@5xl:grid-cols-6' : '@3xl:grid-cols-5'}`}
    >
      {shown.map(({ id, title, count, cards }) => (
        <BoardColumn key={id} id={id} title={title} count={count}>
          {cards.map((card) => (
            <li key={card.number}>
              <BoardCard feature={feature} card={card} isOpen={card.number === selected} actions={actions} />
            </li>
          ))}
          {cards.length < count ? (
            <li>
              <Button weight="quiet" className="w-full" onClick={() => setOpened(new Set([...opened, id]))}>
                Show {count - cards.length} more
              </Button>
            </li>
          ) : null}
        </BoardColumn>
      ))}
    </div>
  )
}

interface BoardColumnProps {
  id: Column
  title: string
  count: number
  children: React.ReactNode
}

function BoardColumn({ id, title, count, children }: BoardColumnProps) {
  const heading = `column-${id}`
  return (
    <section
      aria-labelledby={heading}
      data-column={id}
      data-empty={count === 0 || undefined}
      className="min-w-0 data-empty:@max-md:hidden"
    >
      <h3
        id={heading}
        className="mb-1.5 flex items-baseline justify-between px-0.5 text-small font-semibold text-ink-2"
      >
        {title}
        <span className="numbers font-medium">{count}</span>
      </h3>
      {count > 0 ? (
        <ul className="space-y-2">{children}</ul>
      ) : (
        <p className="rounded-[10px] border border-dashed border-line px-3 py-2.5 text-small text-ink-3">none</p>
      )}
    </section>
  )
}

function focused(): number | null {
  const issue = (document.activeElement?.closest('[data-issue]') as HTMLElement | null)?.dataset.issue
  return issue === undefined ? null : Number(issue)
}
