import { describe, expect, it } from 'vitest'
import { configuredReach, reachContent, untrustedMessage } from './configured-reach.ts'

const paths = (file: unknown) => configuredReach(file).map(({ path }) => path)

describe('what a configuration reaches', () => {
  it.each([
    [
      'a model elsewhere',
      { agents: { gpt: { provider: 'openai', base_url: 'http://x/v1' } } },
      ['agents.gpt.base_url'],
    ],
    [
      'a variable as key',
      { agents: { gpt: { provider: 'openai', api_key_env: 'AWS_SECRET' } } },
      ['agents.gpt.api_key_env'],
    ],
    ['an agent elsewhere', { agents: { far: { provider: 'a2a', url: 'https://x/a2a' } } }, ['agents.far.url']],
    ['a program', { agents: { mine: { provider: 'acp', command: ['node', 'a.mjs'] } } }, ['agents.mine.command']],
    [
      'the environment of an agent',
      { agents: { mine: { env: { OPENAI_BASE_URL: 'http://x' } } } },
      ['agents.mine.env'],
    ],
    ['the environment of commands', { build: { env: ['AWS_SECRET'] } }, ['build.env']],
    [
      'another forge',
      { forge: { github: { repo: 'a/b', api_url: 'http://x', token_env: 'T' } } },
      ['forge.github.api_url', 'forge.github.token_env'],
    ],
    ['a notice', { notify: 'http://x' }, ['notify']],
    ['a key at any depth', { a: [{ b: { c: { base_url: 'http://x' } } }] }, ['a.0.b.c.base_url']],
    [
      'pull requests to a repository',
      { forge: { github: { repo: 'a/b' } }, ship: { pull_request: true } },
      ['forge.github.repo'],
    ],
    [
      'a login',
      { auth: { issuer: 'https://x', client_id: 'convene', client_secret_env: 'S' } },
      ['auth.client_id', 'auth.client_secret_env', 'auth.issuer'],
    ],
    ['issues in a repository', { forge: { github: { repo: 'a/b', create_issues: true } } }, ['forge.github.repo']],
  ])('[TR4] needs trust: %s', (_, file, expected) => {
    expect(paths(file)).toEqual(expected)
  })

  it.each([
    ['no file', undefined],
    ['rehearsal agents', { agents: { gpt: { provider: 'rehearsal', script: 's.yaml' } }, build: { test: 'npm test' } }],
    ["a provider's own hosts with its usual key", { agents: { claude: { provider: 'anthropic', model: 'm' } } }],
    ['empty values', { agents: { gpt: { env: {}, command: [], base_url: null } } }],
    ['agents whose names are keys', { agents: { env: { provider: 'rehearsal' }, command: { provider: 'rehearsal' } } }],
    ['a repository that is only read', { forge: { github: { repo: 'a/b' } }, ship: { pull_request: false } }],
  ])('[TR4] needs no trust: %s', (_, file) => {
    expect(paths(file)).toEqual([])
  })

  it('[TR4] needs trust for a database of the repository’s choice, and never shows its password', () => {
    const [reach] = configuredReach({ engine: { url: 'postgres://me:hunter2@db.example/x' } })
    expect(reach).toEqual({ path: 'engine.url', value: 'postgres://me:…@db.example/x' })
    expect(paths({ engine: { schema: 'convene' } })).toEqual([])
    const content = (url: string) => reachContent(configuredReach({ engine: { url } }))
    expect(content('postgres://u:5432?host=evil.example&z=@db/app')).not.toBe(content('postgres://u:secret@db/app'))
    expect(content('postgres://u:other@db/app')).toBe(content('postgres://u:secret@db/app'))
  })

  it('[TR4] is trusted by content: other keys do not matter, every value does', () => {
    const file = (url: string, calls: number) => ({ agents: { a: { base_url: url } }, budget: { calls } })
    const content = (value: unknown) => reachContent(configuredReach(value))
    expect(content(file('http://x', 1))).toBe(content(file('http://x', 2)))
    expect(content(file('http://x', 1))).not.toBe(content(file('http://y', 1)))
  })

  it('[TR4] names every key and the command that accepts them', () => {
    const message = untrustedMessage(
      'convene.yaml',
      configuredReach({ agents: { a: { base_url: 'u', api_key_env: 'K' } } }),
    )
    expect(message).toContain('agents.a.api_key_env, agents.a.base_url')
    expect(message).toContain('convene trust')
    expect(message).toContain('Nothing was sent')
  })
})
