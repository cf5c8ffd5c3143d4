/**
 * One owner for each `.convene/` folder. The owner holds a lock that the operating system frees when its process ends,
 * however it ends; every other process is its client, at the address in `owner.json`.
 */

import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ConveneError } from './errors.ts'
import { addressFile, type OwnerAddress } from './owner-address.ts'
import { keepPrivate, privateFile, privateFolder, restrict } from './private-files.ts'

export interface Owner {
  /** Publishes the address at which clients find the owner. */
  announce(url: string): void
  /** Removes the address: no new clients while the owner shuts down. */
  withdraw(): void
  release(): void
}

const lockFile = (folder: string) => join(folder, 'owner.lock')

/** Null if another process is the owner. */
export function becomeOwner(folder: string): Owner | null {
  const lock = takeLock(folder)
  if (!lock) return null
  rmSync(addressFile(folder), { force: true })
  return {
    announce(url) {
      const address: OwnerAddress = { url, pid: process.pid }
      const temporary = `${addressFile(folder)}.${process.pid}`
      writeFileSync(temporary, JSON.stringify(address), privateFile)
      renameSync(temporary, addressFile(folder))
    },
    withdraw() {
      rmSync(addressFile(folder), { force: true })
    },
    release() {
      rmSync(addressFile(folder), { force: true })
      lock.close()
    },
  }
}

function takeLock(folder: string): DatabaseSync | null {
  let lock: DatabaseSync | undefined
  try {
    mkdirSync(folder, privateFolder)
    restrict(folder, privateFolder.mode)
    keepOutOfGit(folder)
    keepPrivate(lockFile(folder))
    lock = new DatabaseSync(lockFile(folder), { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock?.close()
    if (isBusy(error)) return null
    throw new ConveneError(
      'not_writable',
      `cannot write to ${folder}. Give this user write permission there, or work in another folder.`,
      {
        cause: error,
        status: 500,
      },
    )
  }
}

/** The folder ignores itself in git, even if `convene init` never ran. */
function keepOutOfGit(folder: string): void {
  const file = join(folder, '.gitignore')
  if (!existsSync(file)) writeFileSync(file, '*\n', privateFile)
}

function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode
  return typeof code === 'number' && ((code & 0xff) === 5 || (code & 0xff) === 6)
}
