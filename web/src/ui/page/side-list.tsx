/** The list beside a floor's pages: all builds, plans or features as links. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { IconButton } from '../button.tsx'
import { Dot, type Tone } from '../chip.tsx'

interface SideListProps<Line> {
  title: string
  href: string
  /** The label of the button that starts a new one. */
  create: string
  onCreate(): void
  lines: readonly Line[] | null | undefined
  keyOf(line: Line): string
  line(line: Line): ReactNode
  /** Below the list. */
  children?: ReactNode
}

export function SideList<Line>(props: SideListProps<Line>) {
  const { title, href, create, onCreate, lines, keyOf, line, children } = props
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-2.5 py-3.5">
      <div className="mb-1 flex items-center justify-between pl-2">
        <h2 className="caption">
          <Link href={href} className="hover:text-ink">
            {title}
          </Link>
        </h2>
        <IconButton icon="plus" label={create} onClick={onCreate} />
      </div>
      <nav aria-label={title}>
        <ul>
          {lines?.map((each) => (
            <li key={keyOf(each)}>{line(each)}</li>
          ))}
        </ul>
        {lines?.length === 0 ? <p className="px-2 py-1 text-small text-ink-3">None yet.</p> : null}
      </nav>
      {children}
    </div>
  )
}

interface SideLinkProps {
  href: string
  isOpen: boolean
  tone: Tone
  /** Read out in place of the dot's colour. */
  status: string
  title?: string
  /** What stands at the right edge. */
  aside: ReactNode
  children: ReactNode
}

export function SideLink({ href, isOpen, tone, status, title, aside, children }: SideLinkProps) {
  return (
    <Link
      href={href}
      aria-current={isOpen ? 'page' : undefined}
      title={title}
      className="flex items-center gap-2 rounded-[7px] px-2 py-[7px] text-ink-2 hover:bg-hover aria-[current=page]:bg-accent-soft aria-[current=page]:text-ink"
    >
      <Dot tone={tone} />
      <span className="min-w-0 truncate font-medium">{children}</span>
      <span className="sr-only">({status})</span>
      <span className="ml-auto shrink-0 text-tiny text-ink-3">{aside}</span>
    </Link>
  )
}
