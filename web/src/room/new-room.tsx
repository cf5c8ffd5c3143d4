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
        {me?.shared ? (
          <Names
            id="peers"
            legend="Where its agents run"
            names={peers}
            change={setPeers}
            without="in this project"
            withNames="in processes of their own (peers)"
            label="Names of peers"
            placeholder="names of agents, such as claude, gpt"
          />
        ) : null}
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
        {me?.shared ? (
          <Names
            id="members"
            legend="Who sees it"
            names={members}
            change={setMembers}
            without="everyone"
            withNames="you, project owners and these users:"
            label="Names of users"
            placeholder="names of users, separated by commas"
          />
        ) : null}
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

interface NamesProps {
  legend: string
  /** Null: `without` is chosen. Otherwise the names as they were typed. */
  names: string | null
  change(names: string | null): void
  without: string
  withNames: string
  label: string
  placeholder: string
  /** Names the radio buttons and the field. */
  id: string
}

/** A choice between a default and names to type. */
function Names({ legend, names, change, without, withNames, label, placeholder, id }: NamesProps) {
  const choice = (value: string | null, text: string) => (
    <label className="flex items-center gap-2">
      <input
        type="radio"
        name={id}
        checked={(names === null) === (value === null)}
        onChange={() => change(value)}
        className="accent-(--accent)"
      />
      {text}
    </label>
  )
  return (
    <fieldset>
      <legend className="mb-1 text-small text-ink-2">{legend}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1 text-small">
        {choice(null, without)}
        {choice('', withNames)}
      </div>
      {names === null ? null : (
        <input
          aria-label={label}
          data-testid={`room-${id}`}
          value={names}
          placeholder={placeholder}
          onChange={(event) => change(event.target.value)}
          className="mt-2 w-full rounded-lg border border-line-strong bg-bg px-3 py-1.5 placeholder:text-ink-3"
        />
      )}
    </fieldset>
  )
}
