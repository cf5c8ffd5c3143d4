/** `convene user` on a shared project, one command after the other. */
import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../src/kernel/events.ts'
import { lastJson, run, start, temporaryFolder } from '../support/convene.ts'
import { env, files, usePostgres } from './users-project.ts'

usePostgres()

describe('convene user', () => {
  it('prints a token once, lists, replaces and removes, and the log tells of it without the token', async () => {
    const cwd = temporaryFolder(files())
    const options = { cwd, env: env() }
    const added = await run(['user', 'add', 'ann', '--role', 'member'], options)
    const token = added.stdout.trim()
    expect([added.code, token]).toEqual([0, expect.stringMatching(/^cvn_[\w-]{43}$/)])
    expect(await run(['user', 'add', 'ann', '--role', 'viewer', '--json'], options)).toMatchObject({ code: 2 })
    expect(await run(['user', 'add', 'gpt', '--role', 'viewer'], options)).toMatchObject({ code: 2 })
    expect(await run(['user', 'add', 'bob', '--role', 'boss'], options)).toMatchObject({ code: 2 })
    expect(await run(['user', 'add', 'bob'], options)).toMatchObject({ code: 2 })
    expect(lastJson(await run(['user', 'list', '--json'], options))).toMatchObject({
      users: [{ name: 'ann', role: 'member' }],
    })
    const replaced = await run(['user', 'token', 'ann', '--json'], options)
    const second = lastJson<{ token: string }>(replaced).token
    expect(second).not.toBe(token)

    const serving = start(['serve', '--port', '0', '--json'], options)
    const { url } = JSON.parse((await serving.says(/^\{.*\}$/m))[0]) as { url: string }
    const me = (given: string) => fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${given}` } })
    expect([(await me(token)).status, (await me(second)).status]).toEqual([401, 200])
    expect(await (await me(second)).json()).toEqual({ name: 'ann', role: 'member', shared: true })
    // The command's own token may be a user's: then the server knows them by it.
    const asked = await run(['ask', `my token is ${second}`, '--to', 'gpt'], {
      cwd,
      env: { ...env(), CONVENE_TOKEN: second },
    })
    expect(asked.code).toBe(0)
    expect((await run(['user', 'list'], { cwd, env: { ...env(), CONVENE_TOKEN: second } })).code).toBe(2)
    expect((await run(['user', 'remove', 'ann'], options)).code).toBe(0)
    expect((await me(second)).status).toBe(401)

    const events = (await run(['events', '--json'], options)).stdout
    expect(events).not.toContain('cvn_')
    const log = events
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as StoredEvent)
    expect(log.filter(({ type }) => type.startsWith('user.')).map(({ type, actor }) => [type, actor])).toEqual([
      ['user.added', 'you'],
      ['user.token-replaced', 'you'],
      ['user.removed', 'you'],
    ])
    expect(log.find(({ type }) => type === 'message.posted')).toMatchObject({ actor: 'ann' })
    expect(log.filter(({ type }) => type === 'credential.stored')).toEqual([])
  })
})
