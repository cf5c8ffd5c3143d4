/**
 * One owner for each `.convene/` folder. The owner holds a lock that the operating system frees when its process ends,
 * however it ends; every other process is its client, at the address in `owner.json`.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stillOwns } from '../rules/trust/owner-lock.ts'
import { ConveneError } from './errors.ts'
import { type FileLock, inodeOf, lockFile } from './file-lock.ts'
import { processState } from './live-process.ts'
import { addressFile, noteLeaving, type OwnerAddress, ownerAddress } from './owner-address.ts'
import { privateFile, privateFolder, restrict } from './private-files.ts'

export interface Owner {
  /** Publishes the address at which clients find the owner, and the environment that it works in. */
  announce(url: string, environment: Record<string, string | null>): void
  /** Removes the address: no new clients while the owner shuts down. `atRest`: no step is executing. */
  withdraw(leaving: { atRest: boolean }): void
  release(): void
}

const lockIn = (folder: string) => join(folder, 'owner.lock')
const repairMs = 1_000

/** Null if another process is the owner. */
export function becomeOwner(folder: string): Owner | null {
  const taken = takeLock(folder)
  if (!taken) return null
  const locks = [taken]
  const { started } = processState(process.pid)
  let address: OwnerAddress = { pid: process.pid, started, lock: taken.inode }
  const publish = (now: OwnerAddress) => {
    address = now
    const temporary = `${addressFile(folder)}.${process.pid}`
    writeFileSync(temporary, JSON.stringify(address), privateFile)
    renameSync(temporary, addressFile(folder))
  }
  try {
    publish(address)
  } catch (error) {
    taken.release()
    throw notWritable(folder, error)
  }
  // TR13: a lock file or address that somebody removed is put back, so that nobody finds the project without an owner.
  const repair = setInterval(() => {
    try {
      if (!existsSync(folder)) return
      if (inodeOf(lockIn(folder)) !== address.lock) {
        const again = lockFile(lockIn(folder))
        if (!again) return
        locks.push(again)
        publish({ ...address, lock: again.inode })
      } else if (!existsSync(addressFile(folder))) publish(address)
    } catch {
      // The next look may succeed; the owner works without it.
    }
  }, repairMs)
  repair.unref()
  return {
    announce: (url, environment) => publish({ ...address, url, environment }),
    withdraw: ({ atRest }) => {
      const { url: _, ...rest } = address
      try {
        noteLeaving(folder, { pid: process.pid, started, atRest })
        publish(rest)
      } catch {
        // The folder is gone, and with it the address.
      }
    },
    release() {
      clearInterval(repair)
      if (ownerAddress(folder)?.pid === process.pid) rmSync(addressFile(folder), { force: true })
      for (const lock of locks) lock.release()
    },
  }
}

function takeLock(folder: string): FileLock | null {
  try {
    mkdirSync(folder, privateFolder)
    restrict(folder, privateFolder.mode)
    keepOutOfGit(folder)
    const lock = lockFile(lockIn(folder))
    if (!lock) return null
    const record = ownerAddress(folder)
    const now = { pid: process.pid, lock: lock.inode, ...(record ? processState(record.pid) : noProcess) }
    if (!stillOwns(record, now)) return lock
    lock.release()
    return null
  } catch (error) {
    throw notWritable(folder, error)
  }
}

const noProcess = { alive: false, started: null }

function notWritable(folder: string, cause: unknown): ConveneError {
  const message = `cannot write to ${folder}. Give this user write permission there, or work in another folder.`
  return new ConveneError('not_writable', message, { cause, status: 500 })
}

/** The folder ignores itself in git, even if `convene init` never ran. */
function keepOutOfGit(folder: string): void {
  const file = join(folder, '.gitignore')
  if (!existsSync(file)) writeFileSync(file, '*\n', privateFile)
}
