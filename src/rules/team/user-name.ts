/** US4: which names a user may have. The log names users, agents and the router in the same field. */

const pattern = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,63}$/u

/** Null if the name is allowed; else why not. */
export function wrongUserName(
  name: string,
  taken: { agents: readonly string[]; reserved: readonly string[] },
): string | null {
  if (!pattern.test(name)) return 'a name has up to 64 letters, digits and . _ @ + -, and begins with a letter or digit'
  if (taken.reserved.includes(name.toLowerCase())) return `'${name}' is reserved`
  if (taken.agents.includes(name)) return `'${name}' is the name of an agent`
  return null
}
