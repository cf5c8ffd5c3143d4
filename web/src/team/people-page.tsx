/** The users of the project: add and remove them, and give them tokens. For owners. */
import { type FormEvent, type ReactNode, useState } from 'react'
import { addUser, getUsers, type Role, removeUser, replaceToken, type User } from '../data/calls/team.ts'
import { useMe } from '../data/calls/use-me.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { ago } from '../ui/format.ts'
import { ListLoading } from '../ui/page/list-page.tsx'

const roles: readonly { role: Role; may: string }[] = [
  { role: 'viewer', may: 'reads' },
  { role: 'member', may: 'reads, talks, starts work, answers questions and stops runs' },
  { role: 'owner', may: 'may do everything, changes users and settings, and sees every room' },
]

export function PeoplePage() {
  const me = useMe()
  return me?.shared === false ? <NoUsers /> : <Users />
}

function NoUsers() {
  return (
    <p className="max-w-prose text-ink-2">
      This project has no users: the token of this server opens everything. To give people tokens and roles of their
      own, share the project in a Postgres database: set <code className="numbers">engine.url</code> or{' '}
      <code className="numbers">CONVENE_DATABASE_URL</code>.
    </p>
  )
}

function Users() {
  const [changes, setChanges] = useState(0)
  const [given, setGiven] = useState<{ name: string; token: string } | null>(null)
  const [problem, setProblem] = useState<string>()
  const users = useLoaded(`users ${changes}`, getUsers)
  const act = async (work: () => Promise<{ name: string; token: string } | null>) => {
    try {
      setGiven(await work())
      setProblem(undefined)
      setChanges((before) => before + 1)
      return true
    } catch (error) {
      setProblem((error as Error).message)
      return false
    }
  }
  return (
    <>
      <AddUser add={(user) => act(async () => ({ name: user.name, token: (await addUser(user)).token }))} />
      {problem ? (
        <p role="alert" className="mt-3 text-small text-bad">
          {problem}
        </p>
      ) : null}
      {given ? <Token {...given} /> : null}
      <h2 className="caption mt-6 mb-2">Users</h2>
      {users.state === 'ready' ? (
        <List
          users={users.value}
          renew={(name) => act(async () => ({ name, token: (await replaceToken(name)).token }))}
          remove={(name) => act(async () => removeUser(name).then(() => null))}
        />
      ) : (
        <ListLoading
          what="users"
          problem={users.state === 'failed' ? users.problem : undefined}
          retry={() => users.state === 'failed' && users.retry()}
        />
      )}
    </>
  )
}

const field = 'h-[34px] min-w-0 rounded-lg border border-line-strong bg-bg px-2.5 placeholder:text-ink-3'

function AddUser({ add }: { add(user: { name: string; role: Role; email?: string }): Promise<boolean> }) {
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('member')
  const [email, setEmail] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const address = email.trim()
    if (!(await add({ name: name.trim(), role, ...(address ? { email: address } : {}) }))) return
    setName('')
    setEmail('')
  }
  return (
    <form aria-label="Add a user" onSubmit={submit} className="rounded-[10px] border border-line bg-panel px-3.5 py-3">
      <div className="flex flex-wrap items-end gap-3">
        <Labelled label="Name">
          <input required value={name} onChange={(event) => setName(event.target.value)} className={`w-40 ${field}`} />
        </Labelled>
        <Labelled label="Role">
          <select value={role} onChange={(event) => setRole(event.target.value as Role)} className={field}>
            {roles.map((one) => (
              <option key={one.role}>{one.role}</option>
            ))}
          </select>
        </Labelled>
        <Labelled label="Email address, for OpenID Connect login">
          <input
            type="email"
            value={email}
            placeholder="optional"
            onChange={(event) => setEmail(event.target.value)}
            className={`w-60 max-w-full ${field}`}
          />
        </Labelled>
        <Button type="submit" weight="primary" className="h-[34px]" disabled={name.trim() === ''}>
          Add
        </Button>
      </div>
      <p className="mt-2 text-small text-ink-3">
        {role === 'owner' ? 'An' : 'A'} {role} {roles.find((one) => one.role === role)!.may}.
      </p>
    </form>
  )
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is its child
    <label className="flex min-w-0 flex-col gap-1 text-small text-ink-2">
      {label}
      {children}
    </label>
  )
}

/** Shown until the page is left: the server keeps only a hash of it. */
function Token({ name, token }: { name: string; token: string }) {
  return (
    <section
      data-testid="token"
      aria-label={`Token of ${name}`}
      className="mt-3 rounded-[10px] bg-warn-soft px-3.5 py-3"
    >
      <p className="text-small text-warn">
        This is the only time that {name}’s token is shown. They open this address with <code>/?token=…</code>, or use
        it as <code>CONVENE_TOKEN</code>.
      </p>
      <p className="mt-1.5 flex items-center gap-2">
        <code className="numbers min-w-0 flex-1 text-small break-all">{token}</code>
        <CopyButton text={token} label="Copy the token" />
      </p>
    </section>
  )
}

interface ListProps {
  users: readonly User[]
  renew(name: string): void
  remove(name: string): void
}

function List({ users, ...actions }: ListProps) {
  if (users.length === 0)
    return <p className="text-ink-2">No users yet. The holder of the server’s own token is an owner.</p>
  return (
    <ul data-testid="users" className="rounded-[10px] border border-line bg-panel">
      {users.map((user) => (
        <UserLine key={user.name} user={user} {...actions} />
      ))}
    </ul>
  )
}

function UserLine({ user, renew, remove }: { user: User } & Omit<ListProps, 'users'>) {
  const { name, role, email, added } = user
  const [asked, setAsked] = useState<'token' | 'remove' | null>(null)
  return (
    <li className="px-3.5 py-2 not-first:border-t not-first:border-line">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 truncate font-medium">{name}</span>
        <Chip>{role}</Chip>
        {email ? <span className="min-w-0 truncate text-small text-ink-3">{email}</span> : null}
        <time dateTime={added} title={new Date(added).toLocaleString()} className="text-small text-ink-3">
          added {ago(added) === 'now' ? 'now' : `${ago(added)} ago`}
        </time>
        <span className="-mr-3 ml-auto flex">
          <Button weight="quiet" aria-label={`New token for ${name}`} onClick={() => setAsked('token')}>
            New token
          </Button>
          <Button weight="quiet" aria-label={`Remove ${name}`} onClick={() => setAsked('remove')}>
            Remove
          </Button>
        </span>
      </div>
      {asked === null ? null : (
        <div className="mt-1.5 flex flex-wrap items-center gap-2 text-small">
          <span className="min-w-0">
            {asked === 'token'
              ? `The old token of ${name} and their sessions end at once.`
              : `${name}’s token and sessions end at once. What they did stays in the log.`}
          </span>
          <Button
            weight={asked === 'remove' ? 'stop' : 'plain'}
            onClick={() => {
              setAsked(null)
              if (asked === 'token') renew(name)
              else remove(name)
            }}
          >
            {asked === 'token' ? 'Give a new token' : `Remove ${name}`}
          </Button>
          <Button weight="quiet" onClick={() => setAsked(null)}>
            Cancel
          </Button>
        </div>
      )}
    </li>
  )
}
