/** A server of a project that several processes share, and calls to it. */
import { expect } from 'vitest'
import { type Started, start } from '../support/convene.ts'

export interface Serving {
  url: string
  token: string
  process: Started
  call<Body>(method: string, path: string, body?: unknown): Promise<Body>
}

export async function serve(cwd: string, env: Record<string, string>, ...options: string[]): Promise<Serving> {
  const process = start(['serve', '--port', '0', '--json', ...options], { cwd, env })
  const { url, token } = JSON.parse((await process.says(/^\{.*\}$/m))[0]) as { url: string; token: string }
  return {
    url,
    token,
    process,
    async call(method, path, body) {
      const headers = {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'content-type': 'application/json',
      }
      const response = await fetch(url + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      expect([path, response.ok ? true : await response.text()]).toEqual([path, true])
      return response.json()
    },
  }
}
