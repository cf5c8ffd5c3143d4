/** Finds the files that a person may mean while typing a path after `@`. SPEC.md § RD15. */

/**
 * Files and folders (`src/`) that contain what was typed, best first: those whose path begins with it, then those whose
 * name does, then the others; shorter paths first. Case does not matter.
 */
export function findFiles(paths: readonly string[], typed: string, most = 20): string[] {
  const wanted = typed.toLowerCase()
  const ranked: { path: string; rank: number }[] = []
  for (const path of new Set([...foldersOf(paths), ...paths])) {
    const rank = rankOf(path.toLowerCase(), wanted)
    if (rank !== null) ranked.push({ path, rank })
  }
  return ranked
    .sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .slice(0, most)
    .map(({ path }) => path)
}

function rankOf(path: string, wanted: string): number | null {
  // What is typed in full needs no suggestion.
  if (path === wanted) return null
  if (path.startsWith(wanted)) return 0
  const name = path.slice(path.lastIndexOf('/', path.length - 2) + 1)
  if (name.startsWith(wanted)) return 1
  if (name.includes(wanted)) return 2
  return path.includes(wanted) ? 3 : null
}

function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set<string>()
  for (const path of paths)
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end + 1)
      if (folders.has(folder)) break
      folders.add(folder)
    }
  return folders
}
