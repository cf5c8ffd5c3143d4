/** `convene doctor --try` with the four real coding agents, each with an emulated model on loopback. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Diagnosis } from '../../../src/cli/doctor/doctor.ts'
import { lastJson, run, temporaryFolder } from '../../support/convene.ts'
import { processesWith } from '../../support/processes.ts'
import { sendError, serveCanned } from '../canned-server.ts'
import { clis, realAgent } from './clis.ts'
import { emulatedMind } from './emulated-mind.ts'
import { bin, homes, patience, reason } from './project.ts'

/** Asks all four, each with a home of its own. */
async function tryAll(name: string, url: string) {
  const places = clis.map(({ agent }) => join(homes, `${name}-${agent}`))
  const agents = Object.fromEntries(
    clis.map((cli, index) => {
      mkdirSync(places[index]!, { recursive: true })
      return [cli.agent, realAgent(cli, { home: places[index]!, url, bin })]
    }),
  )
  const folder = temporaryFolder({ 'convene.yaml': JSON.stringify({ agents, build: { sandbox: 'off' } }) })
  const ended = await run(['doctor', '--try', '--json'], { cwd: folder, env: { CONVENE_TRUST: '1' } })
  for (const home of places) await expect.poll(() => processesWith('HOME', home)).toEqual([])
  const { agents: reports } = lastJson<Diagnosis>(ended)
  return { ...ended, reports: clis.map(({ agent }) => reports.find((report) => report.name === agent)) }
}

describe.skipIf(reason !== undefined)(reason ? `doctor --try (${reason})` : 'doctor --try', () => {
  it('finds the four agents with their versions, says the cost, and asks each', patience, async () => {
    const mind = await emulatedMind(temporaryFolder())
    onTestFinished(() => mind.close())
    mind.tasks.push({ about: 'single word', steps: [{ say: 'ready' }] })
    const { reports, stderr } = await tryAll('known', mind.url)
    expect(stderr).toMatch(/^Asking .* one tiny question each: often 10,000 tokens and more/m)
    expect(reports).toEqual(
      clis.map(({ agent }) =>
        expect.objectContaining({
          agent,
          state: 'ok',
          version: expect.stringMatching(/\d+\.\d+/),
          detail: expect.stringMatching(/^answered "ready" in .* tokens/),
        }),
      ),
    )
  })

  it('[AG3] tells of each whose key is refused how to log in', patience, async () => {
    // Without this header Claude Code tries again for minutes; the real provider sends it.
    const refusal = { error: { type: 'authentication_error', message: 'invalid api key', code: 401 } }
    const refusing = await serveCanned((response) => sendError(response, 401, refusal, { 'x-should-retry': 'false' }))
    onTestFinished(() => refusing.close())
    const { reports, code } = await tryAll('stranger', refusing.address)
    expect(code).toBe(1)
    expect(reports).toEqual(
      ['claude /login', 'codex login', 'gemini', 'opencode auth login'].map((fix) =>
        expect.objectContaining({ state: 'login', fix }),
      ),
    )
  })
})
