/** TR6, TR13: one owner for a project, also when commands come and go and somebody removes its lock. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { becomeOwner } from '../../src/kernel/owner.ts'
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
