/** The four real coding agents in a room, each with an emulated model on loopback. */
import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../../src/kernel/events.ts'
import { newRoom } from '../../room/open-room.ts'
import { processesWith } from '../../support/processes.ts'
import { serve } from '../../support/server.ts'
import { clis, type RealCli } from './clis.ts'
import { foreignNames, secrets } from './environment.ts'
import { patience, reading, realProject, reason } from './project.ts'

const question = 'Which word is in secret.txt?'
const proposal = { angle: 'the file', confidence: 0.95, covers: ['secret.txt'], solo_sufficient: true }

describe.skipIf(reason !== undefined)(reason ? `rooms of real agents (${reason})` : 'rooms of real agents', () => {
  it.each(clis)(
    '[RD14][AG1] $agent proposes, reads a file after its model failed twice, takes a turn, is stopped, and is killed',
    patience,
    async (cli) => {
      const { coder, mind, room, served, home, env } = await openRoom(cli)
      mind.tasks.push(
        { about: 'Reply with the JSON object alone.', steps: [{ say: JSON.stringify(proposal) }] },
        { about: question, steps: [reading(cli, 'secret.txt'), { say: 'The word is marzipan.' }] },
      )
      mind.failing = 2
      await room.ask({ text: question })
      expect(await said(room)).toEqual([[coder, 'The word is marzipan.']])
      // The model saw what the tool had read.
      expect(mind.requests.some(({ text }) => text.includes('marzipan 4711'))).toBe(true)
      // AG9: every request is work; a title or a suggestion would be asked for without tools.
      if (cli.agent === 'claude-code' || cli.agent === 'codex')
        expect(mind.requests.filter(({ tools }) => tools.length === 0)).toEqual([])
      const [{ data: round }] = (await room.events('round.resolved')) as [StoredEvent<{ proposals: object }>]
      expect(round.proposals).toMatchObject({ [coder]: { confidence: proposal.confidence } })

      const running = processesWith('HOME', home)
      const [own] = running.filter(({ parent }) => parent === process.pid)
      expect(foreignNames(Object.keys(own!.env), cli, env)).toEqual([])
      expect(own!.env).toMatchObject({ ...env, CONVENE_DEPTH: '1' })
      for (const { env: found } of running) expect(secretsIn(found)).toEqual([])

      mind.tasks.push({
        about: 'Write a poem',
        steps: [{ say: JSON.stringify({ message: 'A rose.', handoff: { to: 'critic', task: 'judge it' } }) }],
      })
      const desk = await newRoom(served)
      await desk.ask({ text: 'Write a poem', mode: 'collaborate', participants: [coder, 'critic'], speaker: coder })
      expect(await said(desk)).toEqual([
        [coder, 'A rose.'],
        ['critic', 'It rhymes.'],
      ])

      // AG5: Claude Code runs a process for each session; of three, two stay, beside the one that ends the group.
      const below = () => processesWith('HOME', home).filter(({ parent }) => parent === own!.pid)
      if (cli.agent === 'claude-code') await expect.poll(() => below().length, { timeout: 240_000 }).toBe(3)

      mind.tasks.push({ about: 'Think for a year', steps: [{ holdsOnce: true, say: 'too late' }] })
      const { run } = await room.say({ text: 'Think for a year', target: coder })
      await expect.poll(() => mind.held, { timeout: 240_000 }).toBe(1)
      await served.call('POST', `/api/runs/${run}/stop`)
      await room.over(run)
      expect(await served.app.engine.get(run)).toMatchObject({ result: { reason: 'stopped' } })

      mind.tasks.push({ about: 'What about now?', steps: [{ holdsOnce: true, say: 'Here I am again.' }] })
      const killed = await room.say({ text: 'What about now?', target: coder })
      await expect.poll(() => mind.held, { timeout: 240_000 }).toBe(2)
      const victims = processesWith('HOME', home).filter(({ parent }) => parent === process.pid)
      for (const { pid } of victims) process.kill(pid, 'SIGKILL')
      await room.over(killed.run)
      expect((await said(room)).at(-1)).toEqual([coder, 'Here I am again.'])

      await served.close()
      await expect.poll(() => processesWith('HOME', home)).toEqual([])
    },
  )

  it('[AG1] a command of Codex sees no variable that Convene did not mean for it', patience, async () => {
    const codex = clis.find(({ agent }) => agent === 'codex')!
    const { coder, mind, room, env } = await openRoom(codex)
    const dump = { tool: /^exec_command$/, arguments: () => ({ cmd: 'env | sed "s/^/VAR /"' }) }
    mind.tasks.push({ about: 'Show your environment', steps: [dump, { say: 'That is it.' }] })
    await room.ask({ text: 'Show your environment', target: coder })
    const seen = mind.requests.map(({ text }) => text).findLast((text) => text.includes('VAR CONVENE_DEPTH='))!
    const names = [...seen.matchAll(/VAR (\w+)=/g)].map(([, name]) => name!)
    // What Codex itself sets for its commands.
    const added = /^(?:NO_COLOR|COLORTERM|LC_\w+|\w*PAGER)$/
    expect(foreignNames(names, codex, env).filter((name) => !added.test(name))).toEqual([])
    for (const secret of Object.values(secrets)) expect(seen).not.toContain(secret)
  })
})

async function openRoom(cli: RealCli) {
  const coder = 'coder'
  const { project, minds, homes, envs } = await realProject(
    { coder: cli },
    {
      files: { 'secret.txt': 'marzipan 4711\n' },
      lines: [
        { when: { ask: 'micro-proposal' }, reply: { angle: 'none', confidence: 0.1, covers: [] }, repeat: true },
        { when: { ask: 'turn' }, reply: { message: 'It rhymes.', final: true } },
      ],
      isCriticHelper: false,
      // A cold start on a busy machine takes longer than a person would wait for a proposal.
      config: { room: { proposal_seconds: 300 }, retry: { first_wait_ms: 1 } },
    },
  )
  const served = await serve({}, { folder: project.folder, env: { ...secrets, LANG: 'C.UTF-8', TERM: 'dumb' } })
  const room = await newRoom(served)
  return { coder, mind: minds.coder!, room, served, home: homes.coder!, env: envs.coder! }
}

const secretsIn = (env: Record<string, string>) =>
  Object.values(env).filter((value) => Object.values(secrets).some((secret) => value.includes(secret)))

async function said(room: Awaited<ReturnType<typeof newRoom>>) {
  const items = await room.transcript()
  return items.filter(({ type }) => type === 'agent_response').map(({ sender, text }) => [sender, text.trim()])
}
