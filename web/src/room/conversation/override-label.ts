/** A person's word over the rule, as it is shown to them. */
import { joinNames } from '../../ui/format.ts'

/** In the request, `both` is short for: not one alone. In a room of three that is not everybody, so it must not say so. */
export function overrideLabel(override: string, agents: readonly string[]): string {
  if (override !== 'both') return override
  return agents.length === 2 ? joinNames([...agents]) : 'at least two'
}
