/** Escapes paths so that git matches them literally. Pure. */

/** An ignore-file line that matches exactly this path. */
export function ignorePattern(path: string): string {
  return `/${path.replace(/[\\*?[\]]/g, '\\$&').replace(/ $/, '\\ ')}`
}

/** Arguments of `git add` that add everything except some paths and what is below them. */
export function everythingExcept(paths: readonly string[]): string[] {
  return ['.', ...paths.flatMap((path) => [`:(top,exclude,glob)${wild(path)}`, `:(top,exclude,glob)${wild(path)}/**`])]
}

/**
 * `git add` fails if an excluded plain path is also ignored, but not if the path starts with a wildcard,
 * so the first character is written as a wildcard.
 */
function wild(path: string): string {
  const first = String.fromCodePoint(path.codePointAt(0) ?? 0)
  const start = /[\w.-]/.test(first) ? `[${first}]` : '?'.repeat(Buffer.byteLength(first))
  return start + path.slice(first.length).replace(/[\\*?[\]]/g, '\\$&')
}
