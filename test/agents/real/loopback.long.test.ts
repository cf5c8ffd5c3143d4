/** Whole runs of the real coding agents under `strace`: nothing is sent to any address but loopback. */
import { expect, it } from 'vitest'
import { lastJson } from '../../support/convene.ts'
import { processesWith } from '../../support/processes.ts'
import { clis } from './clis.ts'
import { patience, reading, realProject, reason } from './project.ts'
import { canTrace, expectLoopbackAlone, traced } from './traced.ts'

const names = clis.map(({ agent }) => agent)
const why = reason ?? (canTrace ? undefined : 'strace does not work on this machine')

// Left out, not skipped: most machines have no strace, and a test that cannot run there is no failure.
if (why) console.warn(`left out: the addresses of real coding agents: ${why}`)
else
  it('four agents take turns, each reads a file, and no connection leaves loopback', patience, async () => {
    const { project, minds, homes } = await realProject(Object.fromEntries(clis.map((cli) => [cli.agent, cli])), {
      files: { 'secret.txt': 'marzipan 4711\n' },
    })
    for (const [index, cli] of clis.entries()) {
      const next = names[index + 1]
      const reply = {
        message: `${cli.agent} read it.`,
        ...(next ? { handoff: { to: next, task: 'read it too' } } : { final: true }),
      }
      minds[cli.agent]!.tasks.push({
        about: 'Read secret.txt',
        steps: [reading(cli, 'secret.txt'), { say: JSON.stringify(reply) }],
      })
    }
    const words = ['ask', 'Read secret.txt', '--mode', 'collaborate', '--to', names.join(','), '--json']
    const ended = await traced(words, project.folder)
    expect(ended, ended.stderr).toMatchObject({ code: 0 })
    const { items } = lastJson<{ items: { sender: string; text: string }[] }>(ended)
    const answers = items.filter(({ sender }) => (names as string[]).includes(sender)).map(({ text }) => text)
    expect(answers).toEqual(names.map((name) => `${name} read it.`))
    for (const name of names) {
      const { requests } = minds[name]!
      expect(requests.some(({ text }) => text.includes('marzipan 4711'))).toBe(true)
      await expect.poll(() => processesWith('HOME', homes[name]!)).toEqual([])
    }
    expectLoopbackAlone(ended)
  })
