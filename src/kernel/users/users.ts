/** The users of a project in a shared database: a fold of the log. Tokens are stored as hashes only. */
import { createHash, randomBytes } from 'node:crypto'
import { credentialsStream, type Person, type Role, tokenHolder, usersStream } from '../../rules/team/roles.ts'
import { wrongUserName } from '../../rules/team/user-name.ts'
import { reservedNames } from '../config/agents.ts'
import { ConveneError } from '../errors.ts'
import type { NewEvent, StoredEvent } from '../events.ts'
import type { Store } from '../store.ts'
import { actingPerson } from './acting-person.ts'
import { credentialStored, tokenReplaced, userAdded, userRemoved } from './user-events.ts'

export interface User extends Person {
  email?: string
  added: string
}

interface Known extends User {
  hash: string
  /** Who calls with the present token: another object after it is replaced. */
  person: Person
}

export class Users {
  readonly #store: Store
  readonly #agents: readonly string[]
  /** False on SQLite: one token, one person. */
  readonly #shared: boolean
  readonly #users = new Map<string, Known>()
  /** How often each name was changed: two processes that change it at once agree on the first. */
  readonly #changes = new Map<string, number>()
  readonly #revoked = new EventTarget()
  /** The position of the log up to which everything about users is known. */
  #seen = 0

  constructor(store: Store, { shared, agents }: { shared: boolean; agents: readonly string[] }) {
    this.#store = store
    this.#shared = shared
    this.#agents = agents
    if (shared)
      store.subscribe((event) => {
        if (event.stream === usersStream || event.stream === credentialsStream) void this.#catchUp().catch(() => {})
      })
  }

  get shared(): boolean {
    return this.#shared
  }

  async list(): Promise<User[]> {
    await this.#catchUp()
    return [...this.#users.values()].map(publicly)
  }

  /** Reads what other processes changed first: a removed user is refused everywhere at once. */
  async byToken(token: string): Promise<Person | null> {
    if (!this.#shared || !isUserToken(token)) return null
    await this.#catchUp()
    const hash = hashOf(token)
    return [...this.#users.values()].find((one) => one.hash === hash)?.person ?? null
  }

  /** A user, and the key that signs their sessions: another one after their token is replaced. */
  async session(name: string): Promise<{ key: string; person: Person } | null> {
    await this.#catchUp()
    const user = this.#users.get(name)
    return user?.hash ? { key: user.hash, person: user.person } : null
  }

  async add({
    name,
    role,
    email,
  }: {
    name: string
    role: Role
    email?: string
  }): Promise<{ user: User; token: string }> {
    this.#requireShared()
    const wrong = wrongUserName(name, { agents: this.#agents, reserved: reservedNames })
    if (wrong !== null) throw new ConveneError('invalid_input', `name: ${wrong}`, { path: 'name' })
    await this.#catchUp()
    if (this.#users.has(name))
      throw new ConveneError(
        'user_exists',
        `there is a user '${name}' already. \`convene user token ${name}\` gives them a new token.`,
        {
          status: 409,
          path: 'name',
        },
      )
    const token = await this.#write(name, (header) =>
      userAdded.create(header, { name, role, ...(email ? { email } : {}) }),
    )
    return { user: publicly(this.#users.get(name)!), token }
  }

  async replaceToken(name: string): Promise<string> {
    await this.#existing(name)
    return this.#write(name, (header) => tokenReplaced.create(header, { name }))
  }

  async remove(name: string): Promise<void> {
    await this.#existing(name)
    const removed = userRemoved.create({ stream: usersStream, actor: actingPerson().name }, { name })
    await this.#store.append([{ ...removed, key: this.#key(name) }])
    await this.#catchUp()
  }

  /** Checks the members of a new room. The person who creates it is one of them. */
  async members(names: readonly string[]): Promise<string[]> {
    const known = this.#shared ? (await this.list()).map(({ name }) => name) : []
    for (const [index, name] of names.entries())
      if (!known.includes(name))
        throw new ConveneError('unknown_user', `members.${index}: there is no user '${name}'`, {
          path: `members.${index}`,
          expected: this.#shared ? 'the name of a user' : 'no members: this project has no users',
        })
    const { name, role } = actingPerson()
    return [...new Set(role === 'owner' ? names : [name, ...names])]
  }

  /** Aborts when the person is removed or gets a new token, at once if that has happened: nothing more is sent to them. */
  revocation(person: Person): { signal: AbortSignal; release(): void } {
    const { name } = person
    const revoked = new AbortController()
    const abort = () => revoked.abort()
    if (name !== tokenHolder.name && this.#users.get(name)?.person !== person) abort()
    this.#revoked.addEventListener(name, abort)
    return { signal: revoked.signal, release: () => this.#revoked.removeEventListener(name, abort) }
  }

  async #write(name: string, create: (header: { stream: string; actor: string }) => NewEvent): Promise<string> {
    const token = tokenPrefix + randomBytes(32).toString('base64url')
    const hash = hashOf(token)
    const credential = credentialStored.create({ stream: credentialsStream }, { name, hash })
    const key = this.#key(name)
    const [, stored] = await this.#store.append([
      { ...create({ stream: usersStream, actor: actingPerson().name }), key },
      { ...credential, key: { ...key, n: key.n + 1 } },
    ])
    await this.#catchUp()
    if (credentialStored.is(stored!) && stored.data.hash === hash) return token
    throw new ConveneError('changed_meanwhile', `the user '${name}' was changed by another process; try again`, {
      status: 409,
      path: 'name',
    })
  }

  #key(name: string) {
    return { run: usersStream, step: name, n: 2 * (this.#changes.get(name) ?? 0) }
  }

  async #existing(name: string): Promise<void> {
    this.#requireShared()
    await this.#catchUp()
    if (this.#users.has(name)) return
    throw new ConveneError('unknown_user', `there is no user '${name}'. \`convene user list\` shows them.`, {
      status: 404,
      path: 'user',
    })
  }

  #requireShared(): void {
    if (this.#shared) return
    throw new ConveneError(
      'no_database',
      'users need a shared database: set engine.url or CONVENE_DATABASE_URL. Without one, the token makes its holder the owner.',
      { path: 'engine.url', expected: 'postgres://user:password@host:5432/database', status: 409 },
    )
  }

  async #catchUp(): Promise<void> {
    if (!this.#shared) return
    const upTo = await this.#store.lastSeq()
    if (upTo <= this.#seen) return
    const range = { after: this.#seen, before: upTo + 1 }
    // By stream, which has an index: a long log has few facts about users.
    const read = await Promise.all(
      [usersStream, credentialsStream].map((stream) => this.#store.read({ stream, ...range })),
    )
    for (const event of read.flat().sort((one, other) => one.seq - other.seq)) this.#note(event)
    this.#seen = Math.max(this.#seen, upTo)
  }

  #note(event: StoredEvent): void {
    if (event.seq <= this.#seen) return
    this.#seen = event.seq
    if (credentialStored.is(event)) {
      const user = this.#users.get(event.data.name)
      if (user) user.hash = event.data.hash
      return
    }
    if (!userAdded.is(event) && !userRemoved.is(event) && !tokenReplaced.is(event)) return
    const { name } = event.data
    this.#changes.set(name, (this.#changes.get(name) ?? 0) + 1)
    if (userAdded.is(event)) {
      const { role } = event.data
      this.#users.set(name, { ...event.data, added: event.ts, hash: '', person: { name, role } })
      return
    }
    const user = this.#users.get(name)
    if (userRemoved.is(event)) this.#users.delete(name)
    else if (user) user.person = { ...user.person }
    this.#revoked.dispatchEvent(new Event(name))
  }
}

const publicly = ({ name, role, email, added }: Known): User => ({ name, role, ...(email ? { email } : {}), added })

/** Recognised by the redactor wherever it appears. */
const tokenPrefix = 'cvn_'

/** Whether it has the form of a user's token, of a user that may have been removed. */
export const isUserToken = (text: string) => /^cvn_[\w-]{43}$/.test(text)

/** A token is 256 random bits: a plain hash tells nothing about it. */
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
