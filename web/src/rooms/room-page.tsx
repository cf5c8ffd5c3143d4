/** One room: its header, its story, the composer, and the inspector beside it. */
import { useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Room } from '../api/calls.ts'
import { live } from '../api/live.ts'
import { recall, remember } from '../api/memory.ts'
import { useWatched } from '../api/watched.ts'
import { Composer } from '../composer/composer.tsx'
import type { RoomCommand } from '../composer/use-composer.ts'
import { useComposition } from '../composer/use-composition.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import { toggleTheme } from '../look/theme.ts'
import { narrowScreen, useMedia, wideScreen } from '../look/use-media.ts'
import { Announcer } from '../transcript/announcer.tsx'
import { EmptyRoom } from '../transcript/empty-room.tsx'
import { runningMessages } from '../transcript/story.ts'
import { Transcript } from '../transcript/transcript.tsx'
import { Inspector, type InspectorTab } from '../why/inspector.tsx'
import { RoomHeader } from './room-header.tsx'
import { Loading, RoomFailed } from './room-states.tsx'
import { setOverride, stopMessage } from './running.ts'
import { type RoomPage as Page, RoomPageContext } from './use-room.ts'

interface RoomPageProps {
  room: Room
  messageId: string | null
  onRooms(): void
  onNewRoom(name: string): void
  onShortcuts(): void
}

export function RoomPage({ room, messageId, onRooms, onNewRoom, onShortcuts }: RoomPageProps) {
  const store = live.room(room.id)
  const { phase, problem, story, partial, revision } = useWatched(store.state)
  const agents = useWatched(live.agents)
  const [, navigate] = useLocation()
  const { composition, change } = useComposition(room)
  const wide = useMedia(wideScreen)
  const narrow = useMedia(narrowScreen)
  const [sheet, setSheet] = useState(messageId !== null)
  const [sent, setSent] = useState(0)
  const [hidden, setHidden] = useState(() => recall<boolean>('inspector-hidden') === true)
  const [tab, setTab] = useState<InspectorTab>('why')
  const hide = (next: boolean) => {
    setHidden(next)
    remember('inspector-hidden', next || undefined)
  }
  const showWhy = () => {
    setTab('why')
    setSheet(true)
    hide(false)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the story is changed in place, its revision tells when
  const running = useMemo(() => runningMessages(story), [story, revision])
  const explain = (id: string) => {
    navigate(`/rooms/${room.id}/messages/${id}`)
    showWhy()
  }
  const page: Page = { room, agents: agents ?? [], story, partial, revision, selected: messageId, sent, explain }
  const { stop, stopProblem } = useStop(running)

  const onCommand = (command: RoomCommand) => {
    switch (command.do) {
      case 'stop':
        return stop()
      case 'why':
        return showWhy()
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
      case 'override':
        return void setOverride(room.id, command.override)
    }
  }
  useKeys({ esc: () => running.length > 0 && stop(), w: showWhy })

  useEffect(() => {
    live.activity.look(room.id)
    return () => live.activity.look(null)
  }, [room.id])

  const last = [...story.messages.values()].at(-1)
  return (
    <RoomPageContext value={page}>
      <main className="flex min-h-0 min-w-0 flex-1 flex-col">
        <RoomHeader
          room={room}
          running={running}
          lastSession={last?.session ? last : undefined}
          composition={composition}
          onRooms={narrow ? onRooms : undefined}
          onInspector={() => (wide ? hide(!hidden) : setSheet(true))}
          stop={stop}
        />
        {stopProblem ? (
          <p role="alert" className="bg-bad-soft px-5 py-1.5 text-small text-bad">
            {stopProblem}
          </p>
        ) : null}
        {phase === 'loading' ? <Loading /> : null}
        {phase === 'failed' ? <RoomFailed problem={problem} retry={() => void store.catchUp()} /> : null}
        {phase === 'ready' && story.entries.length === 0 ? <EmptyRoom room={room} change={change} /> : null}
        {phase === 'ready' && story.entries.length > 0 ? <Transcript key={room.id} /> : null}
        {phase === 'ready' ? <Announcer key={`${room.id} announcer`} /> : null}
        <Composer
          key={`${room.id} composer`}
          room={room}
          composition={composition}
          change={change}
          onCommand={onCommand}
          onSent={() => setSent(sent + 1)}
        />
      </main>
      <Inspector wide={wide} narrow={narrow} open={sheet} tab={tab} onTab={setTab} onClose={() => setSheet(false)} />
    </RoomPageContext>
  )
}

function useStop(running: Parameters<typeof stopMessage>[0][]) {
  const [stopProblem, setProblem] = useState<string | null>(null)
  const asked = useRef(new Set<string>())
  const stop = () => {
    setProblem(null)
    for (const message of running) {
      if (asked.current.has(message.id)) continue
      asked.current.add(message.id)
      stopMessage(message).catch((error: Error) => {
        asked.current.delete(message.id)
        setProblem(`Not stopped. ${error.message}`)
      })
    }
  }
  return { stop, stopProblem }
}
