/** TR6, TR13: one owner for a project, also when commands come and go and somebody removes its lock. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { becomeOwner } from '../../src/kernel/owner.ts'
import { approved, asked, buildProject, code, type Line, specOf, testFile } from '../build/project.ts'
import { lastJson, start, temporaryFolder } from '../support/convene.ts'
import { runResident } from '../support/resident-command.ts'
import { countedModel } from './counted-model.ts'

describe('the owner of a project', () => {
  it('[TR6] stays for a command that works through it, and never pays a call twice', async () => {
    const model = await countedModel({ held: true })
    const { folder: cwd, env } = model
    const ask = (n: number) => start(['ask', `question ${n}`, '--to', 'gpt', '--room', `r${n}`], { cwd, env })
    const owner = ask(1)
    await expect.poll(() => model.requests.get('question 1')).toBe(1)
    const other = ask(2)
    await expect.poll(() => model.requests.get('question 2')).toBe(1)
    model.answerOne('question 1')
    await owner.says(/Answer to question 1/)
    await owner.notes(/stays for a run that is still under way/)
    expect(owner.child.exitCode).toBeNull()
    model.release()
    expect(await other.finished).toMatchObject({ code: 0, stdout: 'Answer to question 2.\n' })
    expect(await owner.finished).toMatchObject({ code: 0 })
    expect([...model.requests.values()]).toEqual([1, 1])
  })

  it('[TR6] hands over on Ctrl-C after the call in flight: the other command continues, and nothing is paid twice', async () => {
    const model = await countedModel({ held: true })
    const { folder: cwd, env } = model
    const ask = (n: number) => start(['ask', `question ${n}`, '--to', 'gpt', '--room', `r${n}`], { cwd, env })
    const owner = ask(1)
    await expect.poll(() => model.requests.get('question 1')).toBe(1)
    const other = ask(2)
    await expect.poll(() => model.requests.get('question 2')).toBe(1)
    model.answerOne('question 1')
    await owner.notes(/Ctrl-C leaves safely/)
    owner.child.kill('SIGINT')
    await owner.notes(/handing over after the calls in flight/)
    expect(owner.child.exitCode).toBeNull()
    model.release()
    expect(await owner.finished).toMatchObject({ code: 130 })
    expect(await other.finished).toMatchObject({ code: 0, stdout: 'Answer to question 2.\n' })
    expect([...model.requests.values()]).toEqual([1, 1])
  })

  it('[TR6] a question that was asked first does not wait for the end of a build: the build continues in its own process', async () => {
    const lines: Line[] = [
      { when: { ask: 'answer' }, text: 'Here.', after_file: 'go-answer' },
      {
        when: { ask: 'implement' },
        files: {
          'src/inc.js': code('inc'),
          'test/inc.test.js': testFile('inc', { 'inc-1': 'assert.equal(inc(1), 2)' }),
        },
        reply: { TestsPassed: {} },
        after_file: 'go-code',
      },
      { when: { ask: 'review-impl' }, reply: approved, after_file: 'go-review' },
    ]
    const project = buildProject({ spec: specOf('inc'), lines })
    const release = (name: string) => writeFileSync(join(project.folder, '..', name), '')
    const isAsked = (kind: string) =>
      project.until((events) => events.some(({ type, data }) => type === 'ask.started' && data.kind === kind))
    const cwd = project.folder
    const env = { CONVENE_TRUST: '1' }
    const owner = start(['ask', 'Where?', '--to', 'coder'], { cwd, env })
    await isAsked('answer')
    const building = start(['build', 'spec.json', '--json'], { cwd, env })
    await isAsked('implement')
    release('go-answer')
    await owner.says(/Here\./)
    await owner.notes(/the other command takes over its run/)
    expect(owner.child.exitCode).toBeNull()
    release('go-code')
    // The review is still held back: the build is not over.
    expect(await owner.finished).toMatchObject({ code: 0 })
    release('go-review')
    const continued = await building.finished
    expect(continued).toMatchObject({ code: 0 })
    expect(continued.stderr).toContain(
      `process ${owner.child.pid} has finished its own work and handed this over; this process continues the work where it was`,
    )
    expect(continued.stderr).not.toMatch(/is gone|interrupted/)
    expect(asked(await project.events())).toEqual(['answer undefined', 'implement inc', 'review-impl inc'])
  })

  it('[TR6] refuses work for which the client has another key, and takes it without one', async () => {
    const model = await countedModel()
    const { folder: cwd, env } = model
    const serving = start(['serve', '--port', '0', '--json'], { cwd, env })
    await serving.says(/"url"/)
    const asking = (key: Record<string, string>) =>
      runResident(['ask', 'question 1', '--to', 'gpt', '--json'], { cwd, env: { CONVENE_TRUST: '1', ...key } })
    const refused = await asking({ CROWD_KEY: 'sk-another' })
    expect([refused.code, lastJson(refused)]).toMatchObject([
      2,
      { error: { code: 'other_environment', path: 'CROWD_KEY' } },
    ])
    expect(refused.stdout).not.toContain('sk-another')
    expect(model.requests.size).toBe(0)
    expect((await asking({})).code).toBe(0)
    expect((await asking(env)).code).toBe(0)
    expect(readFileSync(join(cwd, '.convene/owner.json'), 'utf8')).not.toContain('sk-crowd')
  })

  it('[TR6] serving beside a running command names the address under which its web app opens', async () => {
    const model = await countedModel({ held: true })
    const { folder: cwd, env } = model
    const owner = start(['ask', 'question 1', '--to', 'gpt'], { cwd, env })
    await expect.poll(() => model.requests.get('question 1')).toBe(1)
    const refused = await runResident(['serve', '--json'], { cwd, env })
    const { error } = lastJson<{ error: { code: string; message: string } }>(refused)
    expect([refused.code, error.code]).toEqual([1, 'already_served'])
    expect(error.message).toContain(`is in use by process ${owner.child.pid}. Open its web app`)
    const address = /http:\S+/.exec(error.message)![0]
    expect(address).toContain('/?token=')
    // It lets its user in, with a cookie for what follows.
    const opened = await fetch(address, { redirect: 'manual' })
    expect([opened.status, opened.headers.get('set-cookie') !== null]).toEqual([302, true])
    model.release()
    expect((await owner.finished).code).toBe(0)
  })

  it('[TR13] a removed lock file does not make a second owner', async () => {
    const folder = temporaryFolder()
    const model = await countedModel({ held: true })
    const owner = start(['ask', 'question 1', '--to', 'gpt'], { cwd: model.folder, env: model.env })
    await expect.poll(() => model.requests.get('question 1')).toBe(1)
    const state = join(model.folder, '.convene')
    rmSync(join(state, 'owner.lock'))
    expect(becomeOwner(state)).toBeNull()
    rmSync(join(state, 'owner.lock'), { force: true })
    rmSync(join(state, 'owner.json'))
    // The owner puts back what was removed.
    await expect.poll(() => JSON.parse(readFileSync(join(state, 'owner.json'), 'utf8')).pid).toBe(owner.child.pid)
    expect(becomeOwner(state)).toBeNull()
    model.release()
    expect((await owner.finished).code).toBe(0)
    becomeOwner(state)!.release()
    becomeOwner(folder)!.release()
  })

  it('[TR13] a run whose owner was killed is listed as interrupted', async () => {
    const model = await countedModel({ held: true })
    const { folder: cwd, env } = model
    const owner = start(['ask', 'question 1', '--to', 'gpt'], { cwd, env })
    await expect.poll(() => model.requests.get('question 1')).toBe(1)
    owner.child.kill('SIGKILL')
    await owner.finished
    const listed = lastJson<{ runs: { status: string }[] }>(await runResident(['runs', '--json'], { cwd, env }))
    expect(listed.runs.map(({ status }) => status)).toEqual(['interrupted'])
  })
})
