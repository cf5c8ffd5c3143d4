import { expect, it } from 'vitest'
import { commandLimits } from './command-limits.ts'
import { commandReach } from './command-reach.ts'
import { defaultLimits } from './limits.ts'

const place = {
  toolchains: ['/home/ada/.pyenv'],
  shared: ['.env.test'],
  limits: commandLimits(defaultLimits),
  cgroup: null,
}

it('[TR8] says in a line each what a command could read, write and reach', () => {
  const inside = commandReach({ ...place, sandbox: 'bubblewrap' })
  expect(inside.read).toBe(
    "its worktree and history, the system's programs, an empty home folder, /home/ada/.pyenv, .env.test (shared)",
  )
  expect(inside.write).not.toContain('you')
  expect(inside.reach).toBe('no network (set-up has it), no other process')
  expect(commandReach({ ...place, sandbox: 'sandbox-exec' }).read).toContain('the machine outside home folders')
  expect(commandReach(place)).toMatchObject({ read: 'everything you can read', write: 'everything you can write' })
})

it('[TR11] says how much of the machine a command may use, and who keeps the limits', () => {
  const use = (cgroup: ('memory' | 'processes')[] | null) => commandReach({ ...place, cgroup }).use
  expect(use(null)).toBe(
    'at most 4096 MB of memory, 512 processes, files of 1024 MB; counted by Convene (no cgroup of its own for a command here)',
  )
  expect(use(['memory', 'processes'])).toContain('; kept by the kernel (a cgroup for each command)')
  expect(use(['processes'])).toContain('processes kept by the kernel (a cgroup for each command), memory counted')
  expect(use([])).toContain('cgroups here have no limits')
})
