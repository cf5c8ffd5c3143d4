/** Navigation between the floors; at the bottom on narrow screens. */
import { Link, useLocation } from 'wouter'
import { questionAddress } from '../data/addresses/question.ts'
import { useMe } from '../data/calls/use-me.ts'
import { live } from '../data/feed/live.ts'
import { useWatched } from '../data/watched.ts'
import { Icon, type IconName, Logo } from '../ui/icons.tsx'
import { toggleTheme } from '../ui/theme.ts'

export function Rail({ roomAddress, onShortcuts }: { roomAddress: string; onShortcuts(): void }) {
  const [location] = useLocation()
  const inSettings = location.startsWith('/settings')
  const inPlans = location.startsWith('/plans')
  const inBuilds = location.startsWith('/builds')
  const inFeatures = location.startsWith('/features')
  const inRuns = location.startsWith('/runs')
  const inTeam = location.startsWith('/team')
  const me = useMe()
  const questions = useWatched(live.questions.open)
  const waitingAt = (floor: string) =>
    questions.filter((question) => questionAddress(question)?.startsWith(floor)).length
  return (
    <nav
      aria-label="Convene"
      className="flex shrink-0 items-center border-line bg-sunken max-[759px]:order-last max-[759px]:justify-around max-[759px]:border-t max-[759px]:px-2 max-[759px]:pt-1 max-[759px]:pb-[max(4px,env(safe-area-inset-bottom))] min-[760px]:w-14 min-[760px]:flex-col min-[760px]:gap-1 min-[760px]:border-r min-[760px]:py-3"
    >
      <span className="mb-3 max-[759px]:hidden">
        <Logo />
      </span>
      <RailLink
        href={roomAddress}
        icon="room"
        label="Room"
        isHere={!inSettings && !inPlans && !inBuilds && !inFeatures && !inRuns && !inTeam}
      />
      <RailLink href="/plans" icon="plan" label="Plan" isHere={inPlans} waiting={waitingAt('/plans/')} />
      <RailLink href="/builds" icon="build" label="Build" isHere={inBuilds} waiting={waitingAt('/builds/')} />
      <RailLink href="/features" icon="ship" label="Ship" isHere={inFeatures} waiting={waitingAt('/features/')} />
      <RailLink href="/runs" icon="runs" label="Runs" isHere={inRuns} />
      {/* On narrow screens the settings link to it: the bar is full. */}
      {me?.shared ? (
        <span className="max-[759px]:hidden">
          <RailLink href="/team" icon="team" label="Team" isHere={inTeam} />
        </span>
      ) : null}
      <span className="flex-1 max-[759px]:hidden" />
      <RailLink href="/settings" icon="settings" label="Settings" isHere={inSettings} />
      {/* On narrow screens the settings have the theme, and there is no keyboard. */}
      <span className="contents max-[759px]:hidden">
        <Action icon="sun" label="Theme" hint="Light or dark" onClick={toggleTheme} />
        <Action icon="keys" label="Keys" hint="Keyboard shortcuts (?)" onClick={onShortcuts} />
      </span>
    </nav>
  )
}

const shape =
  'flex h-11 w-12 flex-col items-center justify-center gap-px rounded-lg text-[10px] leading-tight text-ink-3 hover:text-ink'

interface RailLinkProps {
  href: string
  icon: IconName
  label: string
  isHere: boolean
  /** Questions to a person. */
  waiting?: number
}

function RailLink({ href, icon, label, isHere, waiting = 0 }: RailLinkProps) {
  return (
    <Link
      href={href}
      aria-current={isHere ? 'page' : undefined}
      className={`relative ${shape} aria-[current=page]:bg-panel aria-[current=page]:text-accent aria-[current=page]:shadow-[0_1px_2px_#0001]`}
    >
      <Icon name={icon} size={18} />
      {label}
      {waiting > 0 ? (
        <span
          data-testid="waiting-count"
          className="absolute top-0.5 right-1 min-w-[15px] rounded-full bg-warn px-1 text-center text-[10px] leading-[15px] font-semibold text-panel"
        >
          {waiting}
          <span className="sr-only"> {waiting === 1 ? 'question' : 'questions'} waiting for you</span>
        </span>
      ) : null}
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
