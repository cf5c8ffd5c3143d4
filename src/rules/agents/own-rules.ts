/** What an agent's own configuration says about its tools, where a person is to be asked: what it forbids stays forbidden. SPEC.md § AG2. */

export interface OwnRule {
  /** The tool, or a pattern of tools. */
  permission: string
  /** The commands or paths that it is about. */
  pattern: string
  action: string
}

/** What is asked about and what is refused, by pattern; of those that fit, the last counts, as in `rules`. */
export function askedRules(rules: readonly OwnRule[], tool: string): Record<string, 'ask' | 'deny'> {
  const found = new Map<string, 'ask' | 'deny'>([['*', 'ask']])
  for (const { permission, pattern, action } of rules) {
    if (!fits(permission, tool)) continue
    if (pattern === '*') found.clear()
    found.delete(pattern)
    found.set(pattern, action === 'deny' ? 'deny' : 'ask')
  }
  return Object.fromEntries(found)
}

function fits(pattern: string, tool: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`, 's').test(tool)
}
