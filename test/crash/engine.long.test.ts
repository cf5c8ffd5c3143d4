/** The process is killed at every moment of the story and restarted: the result is the same as without a crash. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  concurrently,
  expectUndisturbed,
  freshFolder,
  recoverIn,
  remainsIn,
  rememberEffects,
  runStory,
} from './crashing.ts'
import { playStory, type StoryOutcome } from './engine-fixture.ts'

let parent: string
let undisturbed: StoryOutcome
let moments: string[]

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'convene-crash-'))
  moments = []
  const folder = freshFolder(parent, 'undisturbed')
  undisturbed = await playStory({ folder, seed: 0, moment: (name) => moments.push(name) })
  rememberEffects(undisturbed, folder)
})
afterAll(() => rmSync(parent, { recursive: true, force: true }))

describe('killed with SIGKILL', () => {
  it('uses a story with enough steps', () => {
    expect(undisturbed.result).toMatchObject({
      input: 'input',
      sent: 'sent',
      stopped: "stopped at step 'never', true",
      failed: 'failing: as it should (E_SHOULD)',
      silence: 'nobody',
      parts: [expect.any(String), expect.any(String), expect.any(String)],
    })
    const kinds = new Set(moments.map((name) => name.split(' ')[0]))
    for (const kind of [
      'before-step',
      'effect-next',
      'effect-done',
      'step-done',
      'step-recorded',
      'wait-begun',
      'stop-next',
    ])
      expect(kinds).toContain(kind)
    expect(moments.length).toBeGreaterThan(120)
  })

  it('at every moment: continues as if nothing had happened', { timeout: 900_000 }, async () => {
    const endings = { killed: 0, finished: 0 }
    const killedAt = new Set<string>()
    await concurrently(
      moments.map((_, index) => index + 1),
      3,
      async (moment) => {
        const folder = freshFolder(parent, `moment-${moment}`)
        const { killed } = await runStory(folder, { atMoment: moment }, 0)
        endings[killed ? 'killed' : 'finished']++
        if (killed) killedAt.add(readFileSync(join(folder, 'crashes'), 'utf8').trim())
        const remains = await remainsIn(folder)
        const outcome = await recoverIn(folder, 0)
        expectUndisturbed(folder, outcome, undisturbed, [remains])
        rmSync(folder, { recursive: true, force: true })
      },
    )
    // The last moments may come in another order, or not at all; all others must have been reached.
    expect(endings.killed).toBeGreaterThan(moments.length - 5)
    const met = moments.filter((name) => killedAt.has(name))
    expect(met.length).toBeGreaterThan(moments.length * 0.95)
  })
})
