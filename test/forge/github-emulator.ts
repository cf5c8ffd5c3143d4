/** A third-party GitHub emulator on this machine, a person who uses it, and our forge on top of it. */
import { createEmulator, type Emulator } from 'emulate'
import type { Forge } from '../../src/forge/forge.ts'
import { createGitHubForge, type GitHubSettings } from '../../src/forge/github.ts'
import type { OpenedForge } from '../contract/forge.ts'
import { freePort } from '../support/free-port.ts'

export const repo = 'acme/shop'
export const token = 'not-a-real-token-0123456789'

export class GitHubEmulator {
  readonly url: string
  readonly #emulator: Emulator

  private constructor(emulator: Emulator) {
    this.#emulator = emulator
    this.url = emulator.url.replace('localhost', '127.0.0.1')
  }

  static async start(): Promise<GitHubEmulator> {
    const seed = {
      tokens: { [token]: { login: 'acme', scopes: ['repo'] }, stranger: { login: 'stranger', scopes: ['repo'] } },
      github: {
        users: [{ login: 'acme' }, { login: 'stranger' }],
        repos: [{ owner: 'acme', name: 'shop', auto_init: true }],
      },
    }
    return new GitHubEmulator(await createEmulator({ service: 'github', port: await freePort(), seed }))
  }

  reset(): void {
    this.#emulator.reset()
  }

  stop(): Promise<void> {
    return this.#emulator.close()
  }

  forge(settings: Partial<GitHubSettings> = {}): Forge {
    return createGitHubForge({ repo, apiUrl: this.url, token, retryWaitMs: 1, ...settings })
  }

  /** A request by the person. */
  async call<Answer>(method: string, path: string, body?: unknown, as = token): Promise<Answer> {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      // A kept connection may be closed by the emulator while a request is on its way.
      headers: { authorization: `token ${as}`, 'content-type': 'application/json', connection: 'close' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Answer
  }

  async commentsOf(issue: number): Promise<string[]> {
    const pages = await Promise.all(
      [1, 2].map((page) =>
        this.call<{ body: string }[]>('GET', `/repos/${repo}/issues/${issue}/comments?per_page=100&page=${page}`),
      ),
    )
    return pages.flat().map(({ body }) => body)
  }

  /** Everything that the contract suite needs. */
  opened(forge: Forge): OpenedForge {
    return {
      forge,
      addIssue: async (issue) => (await this.call<{ number: number }>('POST', `/repos/${repo}/issues`, issue)).number,
      addComment: async (issue, body) =>
        void (await this.call('POST', `/repos/${repo}/issues/${issue}/comments`, { body })),
      commentsOf: (issue) => this.commentsOf(issue),
      labels: () => this.call('GET', `/repos/${repo}/labels?per_page=100`),
      addPullRequest: async (request) =>
        (await this.call<{ number: number }>('POST', `/repos/${repo}/pulls`, request)).number,
      pullRequests: async () =>
        (await this.call<{ title: string; body: string }[]>('GET', `/repos/${repo}/pulls?state=all`)).map(
          ({ title, body }) => ({ title, body }),
        ),
      close: async () => this.reset(),
    }
  }
}
