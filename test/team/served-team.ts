/** A project in Postgres, served to several users. */
import { type Served, type ServeOptions, serve } from '../support/server.ts'

export interface Caller {
  name: string
  token: string
  call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Body; text: string }>
}

export interface Team {
  served: Served
  owner: Caller
  /** Adds a user and returns what calls as them. */
  add(name: string, role: string): Promise<Caller>
}

export async function serveTeam(files: Record<string, string>, options: ServeOptions): Promise<Team> {
  const served = await serve(files, options)
  const owner = callerOf(served, 'you', served.server.token)
  return {
    served,
    owner,
    async add(name, role) {
      const added = await owner.call<{ token: string }>('POST', '/api/users', { name, role })
      if (added.status !== 201) throw new Error(added.text)
      return callerOf(served, name, added.body.token)
    },
  }
}

export function callerOf({ server }: Served, name: string, token: string): Caller {
  return {
    name,
    token,
    async call(method, path, body) {
      const response = await fetch(server.url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      return { status: response.status, text, body: (isJson ? JSON.parse(text) : {}) as never }
    },
  }
}
