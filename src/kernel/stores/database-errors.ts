/** Turns errors of files and databases into messages that a person can act on. */
import { ConveneError } from '../errors.ts'

/** Whether nothing can be written at the moment: the step is not at fault and must not be recorded as failed. */
export function isDatabaseFailure(error: unknown): boolean {
  return error instanceof ConveneError && failureCodes.has(error.code)
}

const failureCodes = new Set([
  'closed',
  'database_busy',
  'database_corrupt',
  'database_refused',
  'database_unreachable',
  'disk_error',
  'disk_full',
  'fenced',
  'not_writable',
])

/** Whether others took over this process's runs: it may write nothing more. */
export function isFenced(error: unknown): boolean {
  return error instanceof ConveneError && error.code === 'fenced'
}

/** Whether the database itself is at fault, so that retrying the rest of a batch piece by piece is pointless. */
export function isFatal(error: unknown): boolean {
  return Object.values(sqliteCodes).includes(primaryCode(error))
}

/** Translates errors of SQLite and the file system; returns all others unchanged. */
export function asConveneError(error: unknown, path: string): unknown {
  switch (primaryCode(error)) {
    case sqliteCodes.busy:
    case sqliteCodes.locked:
    case sqliteCodes.lockProtocol:
      return busy(path, error)
    case sqliteCodes.full:
      return diskFull(path, error)
    case sqliteCodes.ioError:
      return diskError(path, error)
    case sqliteCodes.readonly:
    case sqliteCodes.cannotOpen:
      return notWritable(path, error)
    case sqliteCodes.corrupt:
    case sqliteCodes.notADatabase:
      return corrupt(path, (error as Error).message, error)
  }
  switch ((error as { code?: unknown } | null)?.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return diskFull(path, error)
    case 'EFBIG':
    case 'EIO':
      return diskError(path, error)
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
      return notWritable(path, error)
    default:
      return error
  }
}

export function notWritable(path: string, cause: unknown): ConveneError {
  return new ConveneError(
    'not_writable',
    `cannot write to ${path}. Give this user write permission there, or work in another folder.`,
    { cause, status: 500 },
  )
}

export function corrupt(file: string, what: string, cause?: unknown): ConveneError {
  return new ConveneError(
    'database_corrupt',
    `${file} is damaged (${what}). Move it away and start again: finished work is read back from git. Keep the damaged file if you want to have it examined.`,
    { cause, status: 500 },
  )
}

export function closedError(file: string): ConveneError {
  return new ConveneError('closed', `${file} is closed`, { status: 503 })
}

function busy(file: string, cause: unknown): ConveneError {
  return new ConveneError(
    'database_busy',
    `another process holds a write lock on ${file}. Stop it or wait until it ends, then start again.`,
    { cause, status: 503 },
  )
}

function diskFull(path: string, cause: unknown): ConveneError {
  return new ConveneError(
    'disk_full',
    `the disk is full: nothing more can be written to ${path}. Free some space, then start again; finished work is safe.`,
    { cause, status: 500 },
  )
}

function diskError(path: string, cause: unknown): ConveneError {
  return new ConveneError(
    'disk_error',
    `writing to ${path} failed (${(cause as Error).message}). Check the disk and its free space, then start again; finished work is safe.`,
    { cause, status: 500 },
  )
}

const sqliteCodes = {
  busy: 5,
  locked: 6,
  readonly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  lockProtocol: 15,
  notADatabase: 26,
}

function primaryCode(error: unknown): number {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code & 0xff : 0
}
