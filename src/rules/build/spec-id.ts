/** Whether an id can name a branch and a worktree. Apart from the schema, so that a client can check one without it. */
export function isSpecId(id: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u.test(id) && !id.includes('..') && !/(\.|\.lock)$/.test(id)
}
