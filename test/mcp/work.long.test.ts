/** Plans and builds through the tools of the MCP server: questions, artefacts, and work that nobody waits for. */
import { describe, expect, it } from 'vitest'
import { approval, buildProject, honest, specOf } from '../build/project.ts'
import { planFolder } from '../plan/project.ts'
import { serve } from '../support/server.ts'
import { overHttp, readText, structured } from './client.ts'

const env = { PATH: process.env.PATH!, HOME: process.env.HOME! }

describe('plans and builds over HTTP', () => {
  it('plans a goal; its artefacts are resources', async () => {
    const client = await overHttp(await serve({}, { folder: planFolder(), env }))
    const goal = 'Report the lines of a file'
    const planned = await structured(client, 'convene_plan', { goal, mode: 'rapid', yes: true })
    expect(planned).toMatchObject({ status: 'done', run: expect.stringMatching(/^plan-/), plan: expect.any(String) })
    expect(planned.issues).toEqual([
      { number: 1, title: 'Read the file' },
      { number: 2, title: 'Write the report' },
    ])
    const uri = `convene://plans/${planned.plan}/issues.json`
    expect(planned.artefacts).toContainEqual({ file: 'issues.json', uri })
    expect(JSON.parse(await readText(client, uri)).issues).toHaveLength(2)
    expect(JSON.parse(await readText(client, `convene://runs/${planned.run}`))).toMatchObject({
      kind: 'plan',
      status: 'done',
    })
    const listed = await structured(client, 'convene_status', { run: planned.run })
    expect(listed).toMatchObject({ runs: [{ status: 'done' }], report: { status: 'done', issues: 2 } })
  })

  it('builds a spec, returns its question, takes the answer, and stops another build that nobody waits for', async () => {
    const spec = specOf('inc')
    const good = honest(spec)
    const clarification = { question: 'By how much?', ambiguityReference: 'description', specSentence: 'inc' }
    const project = buildProject({
      spec,
      lines: [
        { when: { ask: 'scaffold', node: 'inc' }, reply: { ClarificationNeeded: clarification } },
        { ...good.scaffold, when: { ...good.scaffold.when, contains: 'By one.' } },
        good.tests,
        good.code,
        good.review,
        { when: { ask: 'scaffold', node: 'slow' }, after_ms: 3_600_000, text: 'never' },
        approval,
      ],
    })
    const client = await overHttp(await serve({}, { folder: project.folder, env }))
    const waiting = await structured(client, 'convene_build', { spec, strategy: 'graph' })
    expect(waiting).toMatchObject({ status: 'waiting', questions: [{ text: expect.stringContaining('By how much?') }] })
    const { questions } = await structured(client, 'convene_questions')
    expect(questions).toEqual(waiting.questions)
    const [{ id }] = questions as [{ id: string }]
    const answered = await structured(client, 'convene_answer', { id, answer: 'By one.' })
    expect(answered).toMatchObject({ answered: id, run: waiting.run })
    const report = async () => (await structured(client, 'convene_status', { run: waiting.run })).report
    await expect.poll(report).toMatchObject({ status: 'done', branch: 'convene/inc/main' })
    expect(project.read('convene/inc/main', 'src/inc.js')).toContain('value + 1')

    const slow = await structured(client, 'convene_build', { spec: specOf('slow'), strategy: 'graph', wait: false })
    expect(slow).toMatchObject({ status: 'running', run: expect.stringMatching(/^build-/) })
    await structured(client, 'convene_stop', { run: slow.run })
    const stopped = async () => (await structured(client, 'convene_status', { run: slow.run })).report
    await expect.poll(stopped).toMatchObject({ status: 'stopped' })
  })
})
