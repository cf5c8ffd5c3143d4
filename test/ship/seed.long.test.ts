/** The original requirements of the issue loop, one by one, through the command. */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asked, expectExit, ofType, type Project } from '../build/project.ts'
import { GitHubEmulator, repo, token } from '../forge/github-emulator.ts'
import { built, lineOf, reportOf, shipProject, states } from './project.ts'

const limit = { timeout: 300_000 }
const greenlight = ['greenlight', 'demo', '--issues', 'issues.json']
const implement = (project: Project, number: number) =>
  project.git('commit', '--quiet', '--allow-empty', `--message=feat(demo): Implement issue #${number}`)

function payload(project: Project, ref: unknown): string {
  const folder = join(project.folder, '.convene/payloads')
  const hash = String(ref).replace('sha256:', '')
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const found = entries.find(({ parentPath, name }) => `${parentPath}/${name}`.replaceAll('/', '').includes(hash))
  return readFileSync(join(found!.parentPath, found!.name), 'utf8')
}

describe('must have', () => {
  it('[IS4] greenlight preserves DONE from git: it syncs before it merges the list', limit, async () => {
    const project = shipProject([{ number: 1 }, { number: 2 }], [])
    expect(states(reportOf(await project.convene(...greenlight)))).toEqual([
      [1, 'READY'],
      [2, 'READY'],
    ])
    implement(project, 1)
    const again = reportOf(await project.convene(...greenlight))
    expect(again.synced).toBe(1)
    expect(states(again)).toEqual([
      [1, 'DONE'],
      [2, 'READY'],
    ])
  })

  it(
    '[DU1] duplicates are detected by a commit or by passing tests; a file alone leads to a question',
    limit,
    async () => {
      const project = shipProject([{ number: 1 }, { number: 2 }, { number: 3 }], [])
      expectExit(await project.convene(...greenlight), 0)
      project.write({ ...(built(2).files as Record<string, string>), 'src/f3.js': 'export const f3 = 3\n' })
      project.git('add', '--all')
      project.git('commit', '--quiet', '--message=by hand')
      implement(project, 1)
      for (const [number, kind] of [
        [1, 'commit'],
        [2, 'tests'],
      ] as const) {
        const ran = await project.convene('run', 'demo', '--issue', String(number))
        expectExit(ran, 0)
        const found = lineOf(reportOf(ran), number)
        expect([found.state, found.evidence[0]?.kind]).toEqual(['DONE', kind])
      }
      const suspected = await project.convene('run', 'demo', '--issue', '3')
      expectExit(suspected, 3)
      expect(suspected.report.questions).toMatchObject([{ choices: ['implement', 'done'] }])
      expectExit(await project.convene('answer', suspected.report.questions![0]!.id, 'done'), 0)
      const said = await project.convene('resume', suspected.report.run)
      expectExit(said, 0)
      // Later syncs keep the evidence of tests and people.
      const status = reportOf(await project.convene('status', 'demo'))
      expect(states(status).map(([, state]) => state)).toEqual(['DONE', 'DONE', 'DONE'])
      expect(lineOf(status, 3).evidence).toMatchObject([{ kind: 'person' }])
      expect(asked(await project.events())).toEqual([])
    },
  )

  it(
    '[CX3] [DU2] [FA3] [EV1] the full flow builds nothing twice, and each agent is told about the project and earlier issues',
    limit,
    async () => {
      const first = built(1)
      const files = first.files as Record<string, string>
      const purposeful = {
        ...files,
        'src/f1.js': `/** Adds one to a number, PURPOSE-MARK. It is pure. */\n${files['src/f1.js']}`,
      }
      const project = shipProject(
        [{ number: 1 }, { number: 2, depends_on: [1] }],
        [
          { ...first, files: purposeful, when: { ...first.when, contains: 'CLAUDE-MARK' } },
          { ...built(2), when: { ...built(2).when, contains: 'SUMMARY-MARK' } },
        ],
        {
          files: {
            'CLAUDE.md': 'Always write it so: CLAUDE-MARK\n',
            'AGENTS.md': 'And so: AGENTS-MARK\n',
            'README.md': 'README-MARK',
          },
        },
      )
      expectExit(await project.convene(...greenlight), 0)
      expectExit(await project.convene('run', 'demo', '--issue', '1'), 0)
      expectExit(await project.convene(...greenlight), 0)
      expectExit(await project.convene('run', 'demo'), 0)
      const events = await project.events()
      expect(asked(events)).toEqual([
        'implement demo-1',
        'review-impl demo-1',
        'summary demo-1',
        'implement demo-2',
        'review-impl demo-2',
      ])

      // The context that agents got is stored and readable.
      const [one, two] = ofType(events, 'context.injected').map(({ context_ref }) => payload(project, context_ref))
      for (const text of [one, two]) {
        expect(text).toContain('CLAUDE-MARK')
        expect(text).toContain('AGENTS-MARK')
        expect(text).not.toContain('README-MARK')
      }
      expect(one).not.toContain('Modules made so far')
      expect(two).toContain('- src/f1.js [f1]: Adds one to a number, PURPOSE-MARK (created by #1)')
      expect(two).toContain('- #1: It adds one, see SUMMARY-MARK. (src/f1.js)')
      expect(ofType(events, 'summary.written').map(({ issue, by }) => [issue, by])).toEqual([
        [1, 'agent'],
        [2, 'rule'],
      ])
      const mirror = readFileSync(join(project.folder, '.convene/events/demo.jsonl'), 'utf8').trim().split('\n')
      const lines = mirror.map((line) => JSON.parse(line) as Record<string, unknown>)
      expect(lines.map(({ event, issue }) => `${event} ${issue}`)).toEqual(
        [1, 2].flatMap((issue) => [
          `issue_started ${issue}`,
          `tests_written ${issue}`,
          `implementation_complete ${issue}`,
          `issue_done ${issue}`,
        ]),
      )
      expect(lines[0]).toMatchObject({ session: expect.any(String), ts: expect.stringMatching(/^\d{4}-.*\dZ$/) })
      expect(lines[3]).toMatchObject({ commit: expect.stringMatching(/^[0-9a-f]{40}$/) })

      // A lost mirror is written again, each line once.
      rmSync(join(project.folder, '.convene/events/demo.jsonl'))
      expectExit(await project.convene('status', 'demo'), 0)
      expect(readFileSync(join(project.folder, '.convene/events/demo.jsonl'), 'utf8').trim().split('\n')).toEqual(
        mirror,
      )
    },
  )
})

describe('migration', () => {
  it(
    '[SY1] [IS4] [FA3] status and greenlight understand a feature begun without Convene, and runs build on it',
    limit,
    async () => {
      const project = shipProject(
        [{ number: 1 }, { number: 2, depends_on: [1] }],
        [{ ...built(2), when: { ...built(2).when, contains: '- #1: Function f1. Adds `f1` in' } }],
      )
      project.write(built(1).files as Record<string, string>)
      project.git('add', '--all')
      project.git('commit', '--quiet', '--message=feat(demo): Implement issue #1')
      const before = reportOf(await project.convene('status', 'demo'))
      expect(before).toMatchObject({
        feature: 'demo',
        synced: 1,
        issues: [
          { number: 1, state: 'DONE', commit: project.git('rev-parse', 'main'), evidence: [{ kind: 'commit' }] },
        ],
      })
      expectExit(await project.convene('status', 'another'), 2)
      expectExit(await project.convene('status', '../another'), 2)
      const greenlit = reportOf(await project.convene(...greenlight))
      expect(states(greenlit)).toEqual([
        [1, 'DONE'],
        [2, 'READY'],
      ])
      expectExit(await project.convene('run', 'demo'), 0)
      expect(asked(await project.events())).toEqual(['implement demo-2', 'review-impl demo-2'])
      const why = (await project.convene('why', 'src/f1.js:1')).report as unknown as { issue: object; run: unknown }
      expect(why).toMatchObject({ issue: { feature: 'demo', number: 1 }, run: null })
    },
  )
})

describe('should have', () => {
  let github: GitHubEmulator

  beforeAll(async () => {
    github = await GitHubEmulator.start()
    process.env.SEED_FORGE = token
  })
  afterAll(async () => {
    delete process.env.SEED_FORGE
    await github.stop()
  })

  it(
    '[GH1] [GH2] labels are created on first use and follow the states, and a comment reports the end',
    limit,
    async () => {
      const { number } = await github.call<{ number: number }>('POST', `/repos/${repo}/issues`, { title: 'One' })
      const project = shipProject([{ number: 1, github: number }], [built(1)], {
        config: { forge: { github: { repo, api_url: github.url, token_env: 'SEED_FORGE' } } },
      })
      expectExit(await project.convene(...greenlight), 0)
      expectExit(await project.convene('run', 'demo'), 0)
      const issue = await github.call<{ state: string; labels: { name: string }[] }>(
        'GET',
        `/repos/${repo}/issues/${number}`,
      )
      expect(issue).toMatchObject({ state: 'closed', labels: [{ name: 'swarm:done' }] })
      expect(await github.commentsOf(number)).toEqual([expect.stringContaining('### ✅ Done')])
      const labels = await github.call<{ name: string }[]>('GET', `/repos/${repo}/labels?per_page=100`)
      expect(labels.map(({ name }) => name).filter((name) => name.startsWith('swarm:'))).toHaveLength(4)
    },
  )

  it('[GH4] without a token nothing is sent, the report says so, and the work is the same', limit, async () => {
    const project = shipProject([{ number: 1, github: 1 }], [built(1)], {
      config: { forge: { github: { repo, api_url: github.url, token_env: 'NOT_SET_HERE' } } },
    })
    const greenlit = await project.convene(...greenlight)
    expectExit(greenlit, 0)
    expect(greenlit.stderr).toContain('GitHub is off: NOT_SET_HERE is not set')
    expectExit(await project.convene('run', 'demo'), 0)
    expect(ofType(await project.events(), 'forge.queued')).toEqual([])
  })
})

describe('nice to have', () => {
  it(
    '[FA1] [FA2] without --smart nobody is asked: the rule analyses each failure, and its advice reaches the next attempt',
    limit,
    async () => {
      const project = shipProject(
        [{ number: 1 }],
        [
          built(1, 'value'),
          built(1, 'value'),
          { ...built(1), when: { ...built(1).when, contains: 'compare it with the acceptance criteria word by word' } },
        ],
      )
      expectExit(await project.convene(...greenlight), 0)
      const ran = await project.convene('run', 'demo')
      expectExit(ran, 0)
      const events = await project.events()
      expect(asked(events).filter((kind) => !kind.startsWith('implement'))).toEqual(['review-impl demo-1'])
      expect(ofType(events, 'failure.analysed')).toMatchObject([
        { attempt: 1, by: 'rule' },
        { attempt: 2, by: 'rule', recommendation: 'modify' },
      ])
    },
  )
})
