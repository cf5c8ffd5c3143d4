/** Whether finished work may be merged into a person's branch without asking. SPEC.md § TR2, TR11. */
import { type SensitiveChange, sensitiveKinds } from './sensitive-paths.ts'

export const sensitivePolicies = ['ask', 'allow', 'refuse'] as const
export type SensitivePolicy = (typeof sensitivePolicies)[number]

export interface MergeCandidate {
  sensitive: readonly SensitiveChange[]
  /** What exceeds the limits, in words; null if nothing does. */
  oversize: string | null
}

export type MergeApproval =
  | { kind: 'merge' }
  | { kind: 'ask'; text: string; detail: string }
  | { kind: 'refuse'; reason: 'sensitive_paths'; detail: string }

/** One question names every cause. */
export function mergeApproval(
  { sensitive, oversize }: MergeCandidate,
  policy: SensitivePolicy,
  target: string,
): MergeApproval {
  const listed = describeSensitive(sensitive)
  if (policy === 'refuse' && sensitive.length > 0)
    return {
      kind: 'refuse',
      reason: 'sensitive_paths',
      detail: `build.sensitive is refuse, and the work changes:\n${listed}`,
    }
  const asksSensitive = policy === 'ask' && sensitive.length > 0
  if (!asksSensitive && oversize === null) return { kind: 'merge' }
  const causes = [
    ...(asksSensitive
      ? [
          sensitive.length === 1
            ? 'changes a path that runs or instructs programs'
            : `changes ${sensitive.length} paths that run or instruct programs`,
        ]
      : []),
    ...(oversize === null ? [] : [`is large: ${oversize}`]),
  ]
  const text = `The work ${causes.join(' and ')}. Merge it into ${target}?`
  return { kind: 'ask', text, detail: asksSensitive ? listed : '' }
}

export function describeSensitive(sensitive: readonly SensitiveChange[]): string {
  return sensitive.map(({ path, kind }) => `- ${path} (${sensitiveKinds[kind]})`).join('\n')
}
