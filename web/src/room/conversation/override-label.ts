/** The label of an override. */
import { joinNames } from '../../ui/format.ts'

/** `both` means at least two, which in a room of three is not everybody. */
export function overrideLabel(override: string, agents: readonly string[]): string {
  if (override !== 'both') return override
  return agents.length === 2 ? joinNames([...agents]) : 'at least two'
}
