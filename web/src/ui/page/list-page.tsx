/** A page that lists all builds, plans or features; while it loads, when that fails, and before there are any. */
import type { ComponentProps, ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { Button } from '../button.tsx'
import { Chip } from '../chip.tsx'
import { CopyButton } from '../copy-button.tsx'
import { Icon } from '../icons.tsx'

interface ListPageProps<Line> {
  title: string
  /** Null: not loaded yet. */
  lines: readonly Line[] | null
  keyOf(line: Line): string
  line(line: Line): ReactNode
  /** Why the list could not be loaded. */
  problem: string | undefined
  retry(): unknown
  /** Starts something to list. */
  start: Start
  /** Another way to start. */
  otherwise?: Start
  /** Introduces the floor while there is nothing to list. */
  empty: Introduction
  /** Below the list. */
  children?: ReactNode
  testId: string
}

interface Start {
  /** The page that starts it. */
  at: string
  label: string
  /** The label while there is nothing to list. */
  first: string
}

interface Introduction {
  title: string
  /** What the floor does. */
  about: string
  command: string
}

export function ListPage<Line>(props: ListPageProps<Line>) {
  const { title, lines, keyOf, line, problem, retry, start, otherwise, empty, children, testId } = props
  const [, navigate] = useLocation()
  if (lines?.length === 0)
    return (
      <EmptyPage {...empty}>
        <Button weight="primary" onClick={() => navigate(start.at)}>
          {start.first}
        </Button>
        {otherwise ? <Button onClick={() => navigate(otherwise.at)}>{otherwise.first}</Button> : null}
      </EmptyPage>
    )
  return (
    <main className="min-h-0 flex-1 overflow-auto">
      <div className="mx-auto max-w-[980px] px-4 py-5 md:px-6">
        <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1 className="text-large font-semibold">{title}</h1>
          {lines ? <Chip>{lines.length}</Chip> : null}
          <span className="ml-auto flex gap-2">
            {otherwise ? <Button onClick={() => navigate(otherwise.at)}>{otherwise.label}</Button> : null}
            <Button weight="primary" onClick={() => navigate(start.at)}>
              <Icon name="plus" size={14} />
              {start.label}
            </Button>
          </span>
        </div>
        {lines ? (
          <ul className="space-y-2" data-testid={testId}>
            {lines.map((each) => (
              <li key={keyOf(each)}>{line(each)}</li>
            ))}
          </ul>
        ) : (
          <ListLoading what={title.toLowerCase()} problem={problem} retry={retry} />
        )}
        {children}
      </div>
    </main>
  )
}

/** One line of the list: a card that links to its page. */
export function CardLink({ className = 'block', ...rest }: ComponentProps<typeof Link> & { className?: string }) {
  return (
    <Link
      {...rest}
      className={`${className} rounded-[10px] border border-line bg-panel px-4 py-3 hover:border-line-strong`}
    />
  )
}

interface ListLoadingProps {
  what: string
  problem: string | undefined
  retry(): unknown
  className?: string
}

export function ListLoading({ what, problem, retry, className = '' }: ListLoadingProps) {
  if (problem === undefined)
    return (
      <div role="status" className={`space-y-2 opacity-60 ${className}`}>
        <span className="sr-only">Loading the {what}…</span>
        {[1, 2, 3].map((row) => (
          <div key={row} className="pulse h-[74px] rounded-[10px] bg-line" />
        ))}
      </div>
    )
  return (
    <div role="alert" className={className}>
      <p className="mb-3 text-ink-2">
        The {what} could not be loaded. {problem}
      </p>
      <Button onClick={() => void retry()}>Try again</Button>
    </div>
  )
}

function EmptyPage({ title, about, command, children }: Introduction & { children: ReactNode }) {
  return (
    <main className="grid flex-1 place-items-center overflow-auto p-6">
      <div className="max-w-lg">
        <h1 className="text-large font-semibold">{title}</h1>
        <p className="mt-2 text-ink-2">{about}</p>
        <div className="mt-4 flex flex-wrap items-center gap-3">
          {children}
          <span className="text-small text-ink-3">or in a terminal</span>
          <span className="flex min-w-0 items-center gap-1 rounded-lg border border-line bg-panel py-0.5 pr-1 pl-3 text-small">
            <code className="numbers min-w-0 truncate">{command}</code>
            <CopyButton text={command} label="Copy the command" />
          </span>
        </div>
      </div>
    </main>
  )
}
