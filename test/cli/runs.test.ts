/** `runs`, `events`, `stop`, `resume` and `fork` on the command line, with and without a server. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastJson, rehearsalProject, start, temporaryFolder } from '../support/convene.ts'
import { runResident } from '../support/resident-command.ts'

const script = `
- when: { ask: answer, contains: slow }
  after_file: go
  text: slow but whole
- when: { ask: answer, contains: never }
  after_ms: 600000
  text: never
- when: { ask: answer }
  repeat: true
  text: quick
`

interface Listing {
  runs: { id: string; kind: string; status: string; steps: number; reason?: string }[]
}

async function listed(cwd: string): Promise<Listing['runs']> {
  return lastJson<Listing>(await runResident(['runs', '--json'], { cwd })).runs
}

/** A message whose process is killed in the middle of the answer. */
async function leftUnfinished(cwd: string, text: string): Promise<string> {
  const asking = start(['ask', text, '--to', 'gpt', '--json'], { cwd })
  await asking.says(/"ask\.started"/)
  asking.child.kill('SIGKILL')
  await asking.finished
  return (await listed(cwd))[0]!.id
}

describe('runs and their control', () => {
  it('lists runs, newest first, and says if there are none', async () => {
    const cwd = temporaryFolder(rehearsalProject(script))
    expect((await runResident(['runs'], { cwd })).stdout).toContain('No runs yet')
    await runResident(['ask', 'one', '--to', 'gpt'], { cwd })
    await runResident(['ask', 'two', '--to', 'gpt'], { cwd })
    const runs = await listed(cwd)
    expect(runs.map(({ kind, status }) => [kind, status])).toEqual([
      ['room.answer', 'done'],
      ['room.answer', 'done'],
    ])
    expect((await runResident(['runs'], { cwd })).stdout.split('\n')[0]).toContain(runs[0]!.id)
  })

  it('prints the log as JSON lines in order, filtered by --run and --after', async () => {
    const cwd = temporaryFolder(rehearsalProject(script))
    await runResident(['ask', 'one', '--to', 'gpt'], { cwd })
    await runResident(['ask', 'two', '--to', 'gpt'], { cwd })
    const read = async (...more: string[]) => {
      const { stdout } = await runResident(['events', '--json', ...more], { cwd })
      return stdout
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { seq: number; run?: string; type: string })
    }
    const all = await read()
    expect(all.map((event) => event.seq)).toEqual(all.map((_, index) => index + 1))
    const of = all.find((event) => event.run)!.run!
    expect(await read('--run', of)).toEqual(all.filter((event) => event.run === of))
    expect(await read('--after', '3')).toEqual(all.slice(3))
    expect((await runResident(['events', '--room', 'nowhere'], { cwd })).code).toBe(2)
  })

  it('follows the log of a served project until it is interrupted', async () => {
    const cwd = temporaryFolder(rehearsalProject(script))
    const serving = start(['serve', '--port', '0', '--json'], { cwd })
    await serving.says(/"url"/)
    const following = start(['events', '--follow', '--json'], { cwd })
    await runResident(['ask', 'hi', '--to', 'gpt'], { cwd })
    await following.says(/"run\.finished"/)
    following.child.kill('SIGINT')
    expect((await following.finished).code).toBe(130)
  })

  it('leaves an interrupted run alone until resume, and then answers it once', async () => {
    const cwd = temporaryFolder(rehearsalProject(script))
    const id = await leftUnfinished(cwd, 'slow one')
    expect((await listed(cwd))[0]).toMatchObject({ id, status: 'interrupted' })
    writeFileSync(join(cwd, 'go'), '')
    const resumed = await runResident(['resume', id, '--json'], { cwd })
    expect([resumed.code, lastJson(resumed)]).toMatchObject([0, { id, status: 'done' }])
    const { stdout } = await runResident(['events', '--run', id, '--json'], { cwd })
    expect(stdout.match(/"reply\.posted"/g)).toHaveLength(1)
    expect((await runResident(['resume', id], { cwd })).code).toBe(0)
  })

  it('continues an interrupted run when the project is served', async () => {
    const cwd = temporaryFolder(rehearsalProject(script))
    const id = await leftUnfinished(cwd, 'slow one')
    writeFileSync(join(cwd, 'go'), '')
    const serving = start(['serve', '--port', '0', '--json'], { cwd })
    await serving.says(/"url"/)
    expect((await runResident(['resume', id, '--json'], { cwd })).code).toBe(0)
    expect((await listed(cwd))[0]).toMatchObject({ id, status: 'done' })
  })

  it('stops a run of another process, and one without a process', async () => {
    const cwd = temporaryFolder(rehearsalProject(script))
    const asking = start(['ask', 'never', '--to', 'gpt', '--json'], { cwd })
    await asking.says(/"ask\.started"/)
    const [first] = await listed(cwd)
    expect(await runResident(['stop', first!.id], { cwd })).toMatchObject({ code: 0 })
    expect([(await asking.finished).code, (await listed(cwd))[0]!.status]).toEqual([130, 'done'])
    const left = temporaryFolder(rehearsalProject(script))
    const id = await leftUnfinished(left, 'never')
    expect(await runResident(['stop', id], { cwd: left })).toMatchObject({ code: 0 })
    expect((await runResident(['events', '--run', id], { cwd: left })).stdout).toContain('Stopped by user.')
  })

  it('forks from a step by number or name, and refuses an unknown step', async () => {
    const cwd = temporaryFolder(rehearsalProject(script))
    await runResident(['ask', 'hi', '--to', 'gpt'], { cwd })
    const [{ id } = { id: '' }] = await listed(cwd)
    const forked = await runResident(['fork', id, '--from', '0', '--json'], { cwd })
    expect([forked.code, lastJson(forked)]).toMatchObject([0, { status: 'done', kind: 'room.answer' }])
    expect(lastJson<{ id: string }>(forked).id).not.toBe(id)
    expect((await runResident(['fork', id, '--from', 'answer gpt'], { cwd })).code).toBe(0)
    const wrong = await runResident(['fork', id, '--from', 'nothing', '--json'], { cwd })
    expect([wrong.code, lastJson(wrong)]).toMatchObject([2, { error: { path: 'from' } }])
    const unknown = await runResident(['resume', 'nobody', '--json'], { cwd })
    expect([unknown.code, lastJson(unknown)]).toMatchObject([2, { error: { code: 'unknown_run' } }])
  })
})
