/** Creates a room with a name, agents and, in a shared project, those who see it. */
import { type FormEvent, useState } from 'react'
import { createRoom } from '../data/calls/rooms.ts'
import { useMe } from '../data/calls/use-me.ts'
import { live } from '../data/feed/live.ts'
import { ApiError } from '../data/request.ts'
import { useWatched } from '../data/watched.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Modal } from '../ui/modal.tsx'

interface NewRoomProps {
  name?: string
  onClose(): void
  onMade(room: string): void
}

export function NewRoom({ name: given = '', onClose, onMade }: NewRoomProps) {
  const agents = useWatched(live.agents) ?? []
  const [name, setName] = useState(given)
  const [left, setLeft] = useState<ReadonlySet<string>>(
    () => new Set(agents.filter(({ helper }) => helper).map(({ name }) => name)),
  )
  const [members, setMembers] = useState<string | null>(null)
  const [peers, setPeers] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const me = useMe()
  const here = agents.filter((agent) => !left.has(agent.name)).map((agent) => agent.name)
  const chosen = peers === null ? here : namesIn(peers)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    try {
      const room = await createRoom({
        ...(name.trim() ? { name: name.trim() } : {}),
        agents: chosen,
        ...(peers === null ? {} : { dispatch: 'peers' }),
        ...(members === null ? {} : { members: namesIn(members) }),
      })
      live.putRoom(room)
      onMade(room.id)
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : String(error))
    }
  }
  const toggle = (agent: string, isIn: boolean) => {
    const next = new Set(left)
    if (isIn) next.delete(agent)
    else next.add(agent)
    setLeft(next)
  }
  return (
    <Modal title="New room" onClose={onClose}>
      <form onSubmit={submit} className="space-y-4 p-4">
        <label className="block">
          <span className="mb-1 block text-small text-ink-2">Name</span>
          <input
            data-testid="room-name"
            value={name}
            maxLength={100}
            placeholder="What is it about?"
            data-autofocus
            onChange={(event) => setName(event.target.value)}
            className="w-full rounded-lg border border-line-strong bg-bg px-3 py-1.5 placeholder:text-ink-3"
          />
        </label>
        {me?.shared ? <Peers peers={peers} change={setPeers} /> : null}
        <fieldset hidden={peers !== null}>
          <legend className="mb-1 text-small text-ink-2">Agents</legend>
          <div className="grid grid-cols-2 gap-1">
            {agents.map((agent) => (
              <label
                key={agent.name}
                className="flex min-w-0 items-center gap-2 rounded-lg border border-line px-2.5 py-1.5 text-small has-checked:border-line-strong has-checked:bg-sunken"
              >
                <input
                  type="checkbox"
                  checked={!left.has(agent.name)}
                  onChange={(event) => toggle(agent.name, event.target.checked)}
                  className="accent-(--accent)"
                />
                <Avatar name={agent.name} small />
                <span className="truncate">{agent.name}</span>
              </label>
            ))}
          </div>
        </fieldset>
        {me?.shared ? <Members members={members} change={setMembers} /> : null}
        {problem ? (
          <p role="alert" className="text-small text-bad">
            {problem}
          </p>
        ) : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" weight="primary" data-testid="create-room" disabled={chosen.length === 0}>
            Create
          </Button>
        </div>
      </form>
    </Modal>
  )
}

const namesIn = (text: string) => text.split(/[\s,]+/).filter((name) => name !== '')

/** Null: the project's servers ask the agents. Otherwise the names of peers as they were typed. */
function Peers({ peers, change }: { peers: string | null; change(peers: string | null): void }) {
  return (
    <fieldset>
      <legend className="mb-1 text-small text-ink-2">Where its agents run</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1 text-small">
        {([false, true] as const).map((isPeers) => (
          <label key={String(isPeers)} className="flex items-center gap-2">
            <input
              type="radio"
              name="peers"
              checked={(peers !== null) === isPeers}
              onChange={() => change(isPeers ? '' : null)}
              className="accent-(--accent)"
            />
            {isPeers ? 'each with its owner, as peers' : 'with the project'}
          </label>
        ))}
      </div>
      {peers === null ? null : (
        <input
          aria-label="Names of peers"
          data-testid="room-peers"
          value={peers}
          placeholder="names of agents, such as claude, gpt"
          onChange={(event) => change(event.target.value)}
          className="mt-2 w-full rounded-lg border border-line-strong bg-bg px-3 py-1.5 placeholder:text-ink-3"
        />
      )}
    </fieldset>
  )
}

/** Null: everyone sees the room. Otherwise the names as they were typed. */
function Members({ members, change }: { members: string | null; change(members: string | null): void }) {
  return (
    <fieldset>
      <legend className="mb-1 text-small text-ink-2">Who sees it</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1 text-small">
        {([true, false] as const).map((isForAll) => (
          <label key={String(isForAll)} className="flex items-center gap-2">
            <input
              type="radio"
              name="members"
              checked={(members === null) === isForAll}
              onChange={() => change(isForAll ? null : '')}
              className="accent-(--accent)"
            />
            {isForAll ? 'everyone' : 'you, owners and …'}
          </label>
        ))}
      </div>
      {members === null ? null : (
        <input
          aria-label="Names of users"
          data-testid="room-members"
          value={members}
          placeholder="names of users, separated by commas"
          onChange={(event) => change(event.target.value)}
          className="mt-2 w-full rounded-lg border border-line-strong bg-bg px-3 py-1.5 placeholder:text-ink-3"
        />
      )}
    </fieldset>
  )
}
