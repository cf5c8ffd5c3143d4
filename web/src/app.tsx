/** The app shell: which page an address shows, the side lists and dialogs, and the keys that work everywhere. */
import { lazy, Suspense, useEffect, useState } from 'react'
import { Redirect, useLocation, useRoute } from 'wouter'
import { live } from './data/feed/live.ts'
import { recall, remember } from './data/memory.ts'
import { useWatched } from './data/watched.ts'
import { ConnectionBanner, RehearsalBanner, ViewerBanner } from './frame/banners.tsx'
import { Rail } from './frame/rail.tsx'
import { Unauthorized } from './frame/unauthorized.tsx'
import { UnrecordedBanner } from './frame/unrecorded-banner.tsx'
import { WaitingBanner } from './frame/waiting-banner.tsx'
import { parts } from './parts.ts'
import { focusComposer, writeInComposer } from './room/composer/composer-handle.ts'
import { NewRoom } from './room/new-room.tsx'
import { RoomList } from './room/room-list.tsx'
import { Loading, NoRooms } from './room/room-states.tsx'
import { SettingsPage } from './settings/settings-page.tsx'
import { ShortcutsDialog } from './ui/keyboard/shortcuts-dialog.tsx'
import { useKeys } from './ui/keyboard/use-keys.ts'
import { Modal } from './ui/modal.tsx'
import { NotFound } from './ui/page-states.tsx'
import { narrowScreen, useMedia } from './ui/use-media.ts'

const RoomPage = lazy(() => parts.rooms().then(({ RoomPage }) => ({ default: RoomPage })))
const PlanFloor = lazy(() => parts.plans().then(({ PlanFloor }) => ({ default: PlanFloor })))
const BuildFloor = lazy(() => parts.builds().then(({ BuildFloor }) => ({ default: BuildFloor })))
const ShipFloor = lazy(() => parts.features().then(({ ShipFloor }) => ({ default: ShipFloor })))
const RunsFloor = lazy(() => parts.runs().then(({ RunsFloor }) => ({ default: RunsFloor })))
const TeamFloor = lazy(() => parts.team().then(({ TeamFloor }) => ({ default: TeamFloor })))
const ShipStrip = lazy(() => import('./frame/ship-strip.tsx').then(({ ShipStrip }) => ({ default: ShipStrip })))

/** The floors, each with its own pages below its address. */
const floors = [
  { at: '/plans', title: 'Plans', Floor: PlanFloor },
  { at: '/builds', title: 'Builds', Floor: BuildFloor },
  { at: '/features', title: 'Ship', Floor: ShipFloor },
  { at: '/runs', title: 'Runs', Floor: RunsFloor },
  { at: '/team', title: 'Team', Floor: TeamFloor },
]

type Overlay = { kind: 'new-room'; name: string } | { kind: 'shortcuts' } | { kind: 'rooms' } | null

export function App() {
  const rooms = useWatched(live.rooms)
  const connection = useWatched(live.feed.connection)
  const activity = useWatched(live.activity.rooms)
  const [location, navigate] = useLocation()
  const [isSettings] = useRoute('/settings')
  const floor = floors.find(({ at }) => location === at || location.startsWith(`${at}/`))
  const [, inRoom] = useRoute('/rooms/:room/*?')
  const [, atMessage] = useRoute('/rooms/:room/messages/:message')
  const [overlay, setOverlay] = useState<Overlay>(null)
  const narrow = useMedia(narrowScreen)
  const open = inRoom?.room ?? null
  const room = rooms?.find(({ id }) => id === open)
  const unread = (rooms ?? []).reduce((sum, { id }) => sum + (activity[id]?.unread ?? 0), 0)

  useEffect(() => {
    if (room) remember('room', room.id)
    const place = room
      ? `${room.name} · Convene`
      : isSettings
        ? 'Settings · Convene'
        : floor
          ? `${floor.title} · Convene`
          : 'Convene'
    document.title = unread > 0 ? `(${unread}) ${place}` : place
  }, [room, isSettings, floor, unread])

  const step = (by: number) => {
    if (!rooms?.length) return
    const at = rooms.findIndex(({ id }) => id === open)
    const next = rooms[Math.min(rooms.length - 1, Math.max(0, at + by))]
    if (next && next.id !== open) navigate(`/rooms/${next.id}`)
  }
  useKeys({
    '?': () => setOverlay({ kind: 'shortcuts' }),
    ...(floor
      ? {}
      : {
          j: () => step(1),
          k: () => step(-1),
          'Alt+ArrowDown': () => step(1),
          'Alt+ArrowUp': () => step(-1),
          n: () => setOverlay({ kind: 'new-room', name: '' }),
          '/': () => (open ? writeInComposer('/') : false),
          i: () => focusComposer(),
        }),
  })

  if (connection === 'unauthorized') return <Unauthorized />
  if (location === '/' && rooms && rooms.length > 0) {
    const last = recall<string>('room')
    return <Redirect to={`/rooms/${rooms.find(({ id }) => id === last)?.id ?? rooms[0]!.id}`} replace />
  }

  const close = () => setOverlay(null)
  const newRoom = (name = '') => setOverlay({ kind: 'new-room', name })
  const list = <RoomList open={open} onNew={newRoom} onChosen={close} />
  return (
    <div className="flex h-full flex-col">
      {room ? (
        <button
          type="button"
          onClick={focusComposer}
          className="absolute top-1 left-1 z-30 rounded-lg bg-panel px-3 py-1.5 text-small shadow-lift not-focus:sr-only"
        >
          Skip to the message box
        </button>
      ) : null}
      <ConnectionBanner />
      <UnrecordedBanner />
      <RehearsalBanner />
      <ViewerBanner />
      <WaitingBanner />
      <Suspense>
        <ShipStrip />
      </Suspense>
      <div className="flex min-h-0 flex-1 max-[759px]:flex-col">
        <Rail roomAddress={open ? `/rooms/${open}` : '/'} onShortcuts={() => setOverlay({ kind: 'shortcuts' })} />
        {narrow || floor ? null : (
          <section
            aria-label="Rooms and agents"
            className="flex w-58 shrink-0 flex-col border-r border-line max-[900px]:w-48"
          >
            {list}
          </section>
        )}
        <div className="flex min-h-0 min-w-0 flex-1">
          {floor ? (
            <Suspense fallback={<Loading />}>
              <floor.Floor />
            </Suspense>
          ) : isSettings ? (
            <SettingsPage />
          ) : room ? (
            <Suspense fallback={<Loading />}>
              <RoomPage
                key={room.id}
                room={room}
                messageId={atMessage?.message ?? null}
                onRooms={() => setOverlay({ kind: 'rooms' })}
                onNewRoom={newRoom}
                onShortcuts={() => setOverlay({ kind: 'shortcuts' })}
              />
            </Suspense>
          ) : rooms === null ? (
            <Loading />
          ) : rooms.length === 0 ? (
            <NoRooms onNew={() => newRoom()} />
          ) : (
            <NotFound title={inRoom ? 'Room not found' : 'Page not found'} list="/" all="rooms" />
          )}
        </div>
      </div>
      {overlay?.kind === 'rooms' ? (
        <Modal title="Rooms" shape="left" onClose={close} bare>
          {list}
        </Modal>
      ) : null}
      {overlay?.kind === 'shortcuts' ? <ShortcutsDialog onClose={close} /> : null}
      {overlay?.kind === 'new-room' ? (
        <NewRoom
          name={overlay.name}
          onClose={close}
          onMade={(id) => {
            close()
            navigate(`/rooms/${id}`)
          }}
        />
      ) : null}
    </div>
  )
}
