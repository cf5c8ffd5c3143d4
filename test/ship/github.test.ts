/** The issue loop and GitHub: what an issue's state is here, it is there; one label, one comment, and the token nowhere. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectExit } from '../build/project.ts'
import { GitHubEmulator, repo, token } from '../forge/github-emulator.ts'
import { built, shipProject, states } from './project.ts'

let github: GitHubEmulator

beforeAll(async () => {
  github = await GitHubEmulator.start()
  process.env.SHOP_FORGE = token
})

afterAll(async () => {
  delete process.env.SHOP_FORGE
  await github.stop()
})

interface Shown {
  state: string
  labels: { name: string }[]
}

describe('a feature whose issues are on GitHub', () => {
  it('[GH1] [GH2] [GH3] [GH4] labels, comment and end follow the states, through blocked, unblocked and done', {
    timeout: 300_000,
  }, async () => {
    const [first, second] = await Promise.all(
      ['One', 'Two'].map((title) =>
        github.call<{ number: number }>('POST', `/repos/${repo}/issues`, { title, labels: ['mine'] }),
      ),
    )
    const [one, two] = [first!.number, second!.number]
    const lines = [built(1), ...[1, 2, 3, 4].map(() => built(2, 'value')), built(2)]
    const config = { forge: { github: { repo, api_url: github.url, token_env: 'SHOP_FORGE' } } }
    const project = shipProject(
      [
        { number: 1, github: one },
        { number: 2, github: two },
      ],
      lines,
      { config },
    )
    const shown = async (issue: number) => {
      const { state, labels } = await github.call<Shown>('GET', `/repos/${repo}/issues/${issue}`)
      return { state, labels: labels.map(({ name }) => name).sort(), comments: await github.commentsOf(issue) }
    }

    expectExit(await project.convene('greenlight', 'demo', '--issues', 'issues.json'), 0)
    expect((await shown(one)).labels).toEqual(['mine', 'swarm:ready'])

    const ran = await project.convene('run', 'demo')
    expectExit(ran, 1)
    expect(states(ran.report)).toEqual([
      [1, 'DONE'],
      [2, 'BLOCKED'],
    ])
    const done = await shown(one)
    expect(done).toMatchObject({ state: 'closed', labels: ['mine', 'swarm:done'] })
    expect(done.comments).toHaveLength(1)
    const blocked = await shown(two)
    expect(blocked).toMatchObject({ state: 'open', labels: ['mine', 'swarm:blocked'] })
    expect(blocked.comments).toHaveLength(1)
    expect(blocked.comments[0]).toContain('convene unblock demo --issue 2')

    expectExit(await project.convene('unblock', 'demo', '--issue', '2'), 0)
    expectExit(await project.convene('run', 'demo'), 0)
    const last = await shown(two)
    expect(last).toMatchObject({ state: 'closed', labels: ['mine', 'swarm:done'] })
    expect(last.comments).toHaveLength(1)

    const files = readdirSync(join(project.folder, '.convene'), { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile(),
    )
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name)).includes(token), name).toBe(false)
  })
})
