/** The way between the floors; at the bottom of a narrow screen. It shows only what there is. */
import { Link, useLocation } from 'wouter'
import { Icon, type IconName, Logo } from '../look/icons.tsx'
import { toggleTheme } from '../look/theme.ts'

export function Rail({ roomAddress, onShortcuts }: { roomAddress: string; onShortcuts(): void }) {
  const [location] = useLocation()
  const inSettings = location.startsWith('/settings')
  return (
    <nav
      aria-label="Convene"
      className="flex shrink-0 items-center border-line bg-sunken max-[759px]:order-last max-[759px]:justify-around max-[759px]:border-t max-[759px]:px-2 max-[759px]:pt-1 max-[759px]:pb-[max(4px,env(safe-area-inset-bottom))] min-[760px]:w-14 min-[760px]:flex-col min-[760px]:gap-1 min-[760px]:border-r min-[760px]:py-3"
    >
      <span className="mb-3 max-[759px]:hidden">
        <Logo />
      </span>
      <Place href={roomAddress} icon="room" label="Room" isHere={!inSettings} />
      <span className="flex-1 max-[759px]:hidden" />
      <Place href="/settings" icon="settings" label="Settings" isHere={inSettings} />
      <Action icon="sun" label="Theme" hint="Light or dark" onClick={toggleTheme} />
      <Action icon="keys" label="Keys" hint="Keys (?)" onClick={onShortcuts} />
    </nav>
  )
}

const shape =
  'flex h-11 w-12 flex-col items-center justify-center gap-px rounded-lg text-[10px] leading-tight text-ink-3 hover:text-ink'

function Place({ href, icon, label, isHere }: { href: string; icon: IconName; label: string; isHere: boolean }) {
  return (
    <Link
      href={href}
      aria-current={isHere ? 'page' : undefined}
      className={`${shape} aria-[current=page]:bg-panel aria-[current=page]:text-accent aria-[current=page]:shadow-[0_1px_2px_#0001]`}
    >
      <Icon name={icon} size={18} />
      {label}
    </Link>
  )
}

function Action({ icon, label, hint, onClick }: { icon: IconName; label: string; hint: string; onClick(): void }) {
  return (
    <button type="button" title={hint} onClick={onClick} className={shape}>
      <Icon name={icon} size={18} />
      {label}
    </button>
  )
}
