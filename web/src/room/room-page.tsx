/** One room: header, transcript, composer and inspector. */
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import type { Room } from '../data/calls/rooms.ts'
import { useMe } from '../data/calls/use-me.ts'
import { live } from '../data/feed/live.ts'
import { remember } from '../data/memory.ts'
import { useWatched } from '../data/watched.ts'
import { useKeys } from '../ui/keyboard/use-keys.ts'
import { toggleTheme } from '../ui/theme.ts'
import { narrowScreen, useMedia } from '../ui/use-media.ts'
import { Composer } from './composer/composer.tsx'
import type { RoomCommand } from './composer/use-composer.ts'
import { useComposition } from './composer/use-composition.ts'
import { runningMessages } from './conversation/conversation.ts'
import { type RoomPage as Page, RoomPageContext } from './conversation/room-page-context.ts'
import { roomStore } from './conversation/room-store.ts'
import { PeerList } from './peers/peer-list.tsx'
import { usePresence } from './peers/use-presence.ts'
import { RoomHeader } from './room-header.tsx'
import { Loading, RoomFailed } from './room-states.tsx'
import { Announcer } from './transcript/announcer.tsx'
import { EmptyRoom } from './transcript/empty-room.tsx'
import { Transcript } from './transcript/transcript.tsx'
import { useRoomActions } from './use-room-actions.ts'
import { Inspector } from './why/inspector.tsx'
import { useInspector } from './why/use-inspector.ts'

const SampleStart = lazy(() => import('./sample/sample-start.tsx').then((part) => ({ default: part.SampleStart })))
const SampleEnd = lazy(() => import('./sample/sample-end.tsx').then((part) => ({ default: part.SampleEnd })))

interface RoomPageProps {
  room: Room
  messageId: string | null
  onRooms(): void
  onNewRoom(name: string): void
  onShortcuts(): void
}

export function RoomPage({ room, messageId, onRooms, onNewRoom, onShortcuts }: RoomPageProps) {
  const store = roomStore(room.id)
  const { phase, problem, conversation, partial, revision } = useWatched(store.state)
  const [, navigate] = useLocation()
  const { composition, change } = useComposition(room)
  const inspector = useInspector(messageId !== null)
  const narrow = useMedia(narrowScreen)
  const me = useMe()
  const presence = usePresence(room)
  const [sent, setSent] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the conversation is changed in place, its revision tells when
  const running = useMemo(() => runningMessages(conversation), [conversation, revision])
  const actions = useRoomActions(room.id, running)
  const explain = (id: string) => {
    navigate(`/rooms/${room.id}/messages/${id}`)
    inspector.showWhy()
  }
  const page: Page = { room, presence, conversation, partial, revision, selected: messageId, sent, explain }

  const onCommand = (command: RoomCommand) => {
    switch (command.do) {
      case 'stop':
        return actions.stop()
      case 'override':
        return actions.override(command.override)
      case 'ship':
        return actions.ship(command.goal)
      case 'tell':
        return actions.tell(command.agent, command.text)
      case 'plan':
        remember('plan-goal', command.goal)
        return navigate('/plans/new')
      case 'build':
        return navigate('/builds/new')
      case 'why':
        return inspector.showWhy()
      case 'settings':
        return navigate('/settings')
      case 'theme':
        return toggleTheme()
      case 'shortcuts':
        return onShortcuts()
      case 'new-room':
        return onNewRoom(command.name)
      case 'room':
        return navigate(`/rooms/${command.id}`)
    }
  }
  useKeys({ esc: () => running.length > 0 && actions.stop(), w: inspector.showWhy })

  useEffect(() => {
    live.activity.look(room.id)
    return () => live.activity.look(null)
  }, [room.id])

  const last = [...conversation.messages.values()].at(-1)
  return (
    <RoomPageContext value={page}>
      <main className="flex min-h-0 min-w-0 flex-1 flex-col">
        <RoomHeader
          room={room}
          presence={presence}
          running={running}
          lastSession={last?.session ? last : undefined}
          composition={composition}
          onRooms={narrow ? onRooms : undefined}
          onInspector={inspector.toggle}
          stop={actions.stop}
          clearOverride={() => actions.override(null)}
        />
        {actions.problem ? (
          <p role="alert" className="bg-bad-soft px-5 py-1.5 text-small text-bad">
            {actions.problem}
          </p>
        ) : null}
        {phase === 'loading' ? <Loading /> : null}
        {phase === 'failed' ? <RoomFailed problem={problem} retry={() => void store.catchUp()} /> : null}
        {phase === 'ready' && conversation.entries.length === 0 ? (
          <EmptyRoom room={room} change={change}>
            {presence ? (
              <div className="mb-6">
                <h2 className="mb-2 text-large font-semibold">Peers of this room</h2>
                <PeerList room={room} presence={presence} />
              </div>
            ) : null}
            <Suspense>
              <SampleStart room={room.id} />
            </Suspense>
          </EmptyRoom>
        ) : null}
        {phase === 'ready' && conversation.entries.length > 0 ? <Transcript /> : null}
        {phase === 'ready' ? <Announcer /> : null}
        {phase === 'ready' && conversation.entries.length > 0 ? (
          <Suspense>
            <SampleEnd room={room.id} />
          </Suspense>
        ) : null}
        {me?.role === 'viewer' ? null : (
          <Composer
            room={room}
            composition={composition}
            change={change}
            onCommand={onCommand}
            onSent={() => setSent(sent + 1)}
          />
        )}
      </main>
      <Inspector inspector={inspector} />
    </RoomPageContext>
  )
}
