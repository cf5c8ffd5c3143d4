/** Where the owner of a project says it listens. Apart from the lock, so that a client need not load the database. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface OwnerAddress {
  url: string
  pid: number
}

/** `.convene/`: everything a project remembers. */
export const stateFolderOf = (project: { folder: string }) => join(project.folder, '.convene')

export const addressFile = (stateFolder: string) => join(stateFolder, 'owner.json')

/** Null while there is no owner, or it has not announced its address yet. */
export function ownerAddress(stateFolder: string): OwnerAddress | null {
  try {
    return JSON.parse(readFileSync(addressFile(stateFolder), 'utf8')) as OwnerAddress
  } catch {
    return null
  }
}
