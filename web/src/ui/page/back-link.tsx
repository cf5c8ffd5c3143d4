/** Back to the list. On a wide screen the list is beside the page, so the link shows only where `always` is set. */
import { Link } from 'wouter'
import { Icon } from '../icons.tsx'

export function BackLink({ href, label, always = false }: { href: string; label: string; always?: boolean }) {
  return (
    <Link
      href={href}
      aria-label={label}
      className={`-ml-1 grid size-7 shrink-0 place-items-center rounded-md text-ink-3 hover:bg-hover hover:text-ink ${always ? '' : 'min-[760px]:hidden'}`}
    >
      <Icon name="back" />
    </Link>
  )
}
