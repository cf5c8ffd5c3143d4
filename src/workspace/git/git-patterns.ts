/** Paths written so that git takes them for themselves, never for a pattern. Pure. */

/** A line of an ignore file that names exactly this path from the top. */
export function ignorePattern(path: string): string {
  return `/${path.replace(/[\\*?[\]]/g, '\\$&').replace(/ $/, '\\ ')}`
}

/** The arguments of `git add` that take in all but some paths and what lies below them. */
export function everythingExcept(paths: readonly string[]): string[] {
  return ['.', ...paths.flatMap((path) => [`:(top,exclude,glob)${wild(path)}`, `:(top,exclude,glob)${wild(path)}/**`])]
}

/**
 * `git add` fails where a plain path it is to leave out is also ignored. It does not where the path begins with a wildcard,
 * so the first character is written as one.
 */
function wild(path: string): string {
  const first = String.fromCodePoint(path.codePointAt(0) ?? 0)
  const start = /[\w.-]/.test(first) ? `[${first}]` : '?'.repeat(Buffer.byteLength(first))
  return start + path.slice(first.length).replace(/[\\*?[\]]/g, '\\$&')
}
