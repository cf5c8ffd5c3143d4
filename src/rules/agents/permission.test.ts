import { describe, expect, it } from 'vitest'
import { judgePermission, optionFor, type PermissionFacts, permissionText } from './permission.ts'

const inBuild: PermissionFacts = {
  policy: 'worktree',
  mayWrite: true,
  kind: 'edit',
  isExitTool: false,
  isInside: true,
  leavesSandbox: false,
}
const decide = (more: Partial<PermissionFacts>) => judgePermission({ ...inBuild, ...more }).decision

describe('permissions of a coding agent', () => {
  it.each(['edit', 'delete', 'move', 'execute', 'read', 'search', 'think'])(
    '[AG2] a build allows %s inside its worktree',
    (kind) => expect(decide({ kind })).toBe('allow'),
  )

  it.each(['fetch', 'switch_mode', 'other', 'anything'])('[AG2] a build refuses %s', (kind) =>
    expect(decide({ kind })).toBe('deny'),
  )

  it('[AG2] nothing outside of the worktree is allowed, under no policy', () => {
    for (const policy of ['worktree', 'ask', 'deny'] as const)
      for (const kind of ['read', 'edit', 'execute']) expect(decide({ policy, kind, isInside: false })).toBe('deny')
  })

  it('[AG2] an ask that may only read allows reading, whatever the policy', () => {
    for (const policy of ['worktree', 'ask', 'deny'] as const) {
      expect(decide({ policy, mayWrite: false, kind: 'read' })).toBe('allow')
      expect(decide({ policy, mayWrite: false, kind: 'edit' })).toBe('deny')
      expect(decide({ policy, mayWrite: false, kind: 'execute' })).toBe('deny')
    }
  })

  it('[AG2] a command that leaves the agent’s own sandbox is refused, or left to a person', () => {
    expect(decide({ kind: 'execute', leavesSandbox: true })).toBe('deny')
    expect(decide({ kind: 'execute', leavesSandbox: true, policy: 'ask' })).toBe('ask')
  })

  it('[AG2] ask leaves it to a person, deny refuses', () => {
    expect(decide({ policy: 'ask' })).toBe('ask')
    expect(decide({ policy: 'ask', kind: 'fetch' })).toBe('ask')
    expect(decide({ policy: 'deny' })).toBe('deny')
  })

  it('[AG2] the tool that ends the work is always allowed', () => {
    expect(decide({ policy: 'deny', mayWrite: false, isInside: false, isExitTool: true })).toBe('allow')
  })

  it('[AG2] an answer holds for one call where the agent offers that', () => {
    const options = [
      { optionId: 'always', kind: 'allow_always' },
      { optionId: 'once', kind: 'allow_once' },
      { optionId: 'no', kind: 'reject_once' },
    ]
    expect(optionFor('allow', options)).toBe('once')
    expect(optionFor('allow', options.slice(0, 1))).toBe('always')
    expect(optionFor('deny', options)).toBe('no')
    expect(optionFor('deny', [])).toBeNull()
  })

  it('[AG2] a request is described by its title, and the command or path that the title leaves out', () => {
    expect(permissionText({ title: 'Run it', command: 'npm test', path: '/work' })).toBe('Run it (npm test)')
    expect(permissionText({ title: 'Write a.js', path: 'a.js' })).toBe('Write a.js')
    expect(permissionText({ title: 'Search the web' })).toBe('Search the web')
  })
})
