import { describe, expect, it } from 'vitest'
import { describeSensitive, mergeApproval } from './merge-approval.ts'
import type { SensitiveChange } from './sensitive-paths.ts'

const hook: SensitiveChange[] = [{ path: '.husky/post-merge', kind: 'hook' }]

describe('merging into a branch of the user', () => {
  it('[TR2] asks once about sensitive paths, and names each with its effect', () => {
    const asked = mergeApproval({ sensitive: hook, oversize: null }, 'ask', 'main')
    expect(asked).toMatchObject({ kind: 'ask', detail: '- .husky/post-merge (runs when git does something)' })
    expect((asked as { text: string }).text).toContain('Merge it into main?')
    expect(describeSensitive([...hook, { path: '.envrc', kind: 'shell' }]).split('\n')).toHaveLength(2)
  })

  it('[TR2] merges or refuses without a question where the configuration says so', () => {
    expect(mergeApproval({ sensitive: hook, oversize: null }, 'allow', 'main').kind).toBe('merge')
    expect(mergeApproval({ sensitive: hook, oversize: null }, 'refuse', 'main')).toMatchObject({
      kind: 'refuse',
      reason: 'sensitive_paths',
    })
    expect(mergeApproval({ sensitive: [], oversize: null }, 'refuse', 'main').kind).toBe('merge')
  })

  it('[TR11] asks about large work whatever the policy, in the same question', () => {
    const oversize = '501 files (build.limits.files: 500)'
    expect(mergeApproval({ sensitive: [], oversize }, 'allow', 'main')).toMatchObject({ kind: 'ask' })
    const both = mergeApproval({ sensitive: hook, oversize }, 'ask', 'main')
    expect((both as { text: string }).text).toMatch(/a path that runs or instructs programs and is large: 501 files/)
  })
})
