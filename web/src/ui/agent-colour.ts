/** One colour per agent everywhere: three well-known names have their own, others get one of eight by name. */
const known = new Set(['gpt', 'claude', 'gemini'])
const paletteSize = 8

/** A CSS value. `you` and `router` have colours too. */
export function agentColour(name: string): string {
  if (name === 'you') return 'var(--human)'
  if (name === 'router') return 'var(--router)'
  const plain = name.toLowerCase()
  return known.has(plain) ? `var(--${plain})` : `var(--agent-${(hash(plain) % paletteSize) + 1})`
}

function hash(text: string): number {
  let value = 2166136261
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 16777619) >>> 0
  return value
}
