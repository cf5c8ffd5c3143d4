/** What a person changed in a spec since its build began. SPEC.md § GR11. */
import type { Spec } from './spec.ts'

export const changedSpecChoices = ['continue with the old spec', 'start again with the new one'] as const

/** One line for each difference; none if the build would be the same. */
export function specChanges(before: Spec, after: Spec): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => key !== 'acceptanceCriteria',
  ) as Exclude<keyof Spec, 'acceptanceCriteria'>[]
  const changed = keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
  return [...changed.map((key) => `${key} ${change(before[key], after[key])}`), ...criteriaChanges(before, after)]
}

function change(before: unknown, after: unknown): string {
  if (before === undefined) return 'was added'
  return after === undefined ? 'was removed' : 'changed'
}

function criteriaChanges(before: Spec, after: Spec): string[] {
  const old = new Map(before.acceptanceCriteria.map((one) => [one.id, one]))
  const young = new Map(after.acceptanceCriteria.map((one) => [one.id, one]))
  return [...new Set([...old.keys(), ...young.keys()])].flatMap((id) => {
    const [was, is] = [old.get(id), young.get(id)]
    if (JSON.stringify(was) === JSON.stringify(is)) return []
    return [`criterion ${id} ${change(was, is)}${is ? `: ${is.text}` : ''}`]
  })
}
