/** Whether a folder or one above it has a `.git`: a look that needs no git. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

export function hasGitFolder(folder: string): boolean {
  for (let place = folder; ; place = dirname(place)) {
    if (existsSync(join(place, '.git'))) return true
    if (place === dirname(place)) return false
  }
}
