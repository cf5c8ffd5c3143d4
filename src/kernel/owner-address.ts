/** What the owner of a project says about itself. Apart from the lock, so that a client need not load the database. */
import { createHmac } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Leaving } from '../rules/trust/owner.ts'
import { isSameProcess } from '../rules/trust/owner-lock.ts'
import { processState } from './live-process.ts'
import { privateFile } from './private-files.ts'

export interface OwnerAddress {
  /** Missing while the owner starts and while it shuts down. */
  url?: string
  pid: number
  started: string | null
  /** The inode of its lock file. */
  lock?: string
  /** Fingerprints of the variables that its agents and its forge use; null where one is not set. */
  environment?: Record<string, string | null>
}

/** By this header a command tells the owner which process it is, as `<pid> <start time>`. */
export const clientHeader = 'convene-client'

/** `.convene/`: everything a project remembers. */
export const stateFolderOf = (project: { folder: string }) => join(project.folder, '.convene')

export const addressFile = (stateFolder: string) => join(stateFolder, 'owner.json')

/** Null while there is no owner. A killed one leaves its address behind: `isOwnerAlive` tells. */
export function ownerAddress(stateFolder: string): OwnerAddress | null {
  try {
    return JSON.parse(readFileSync(addressFile(stateFolder), 'utf8')) as OwnerAddress
  } catch {
    return null
  }
}

const leavingFile = (stateFolder: string) => join(stateFolder, 'owner-left.json')

/** For clients, who find their connection broken: what the last owner noted as it left. */
export function noteLeaving(stateFolder: string, leaving: Leaving): void {
  const temporary = `${leavingFile(stateFolder)}.${process.pid}`
  writeFileSync(temporary, JSON.stringify(leaving), privateFile)
  renameSync(temporary, leavingFile(stateFolder))
}

/** Null if no owner has noted anything. */
export function notedLeaving(stateFolder: string): Leaving | null {
  try {
    return JSON.parse(readFileSync(leavingFile(stateFolder), 'utf8')) as Leaving
  } catch {
    return null
  }
}

export const isOwnerAlive = (address: OwnerAddress) => isSameProcess(address, processState(address.pid))

/** Tells whether two processes have the same value without giving it away. Null where it is not set. */
export function fingerprint(value: string | undefined, token: string): string | null {
  return value === undefined || value === '' ? null : createHmac('sha256', token).update(value).digest('base64url')
}
