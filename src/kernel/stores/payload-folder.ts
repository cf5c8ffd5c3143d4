/** Payloads as files named by their SHA-256: written atomically once, verified when read. */

import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { privateFile, privateFolder } from '../private-files.ts'
import { asConveneError } from './database-errors.ts'
import { chunksOf, clampRange, digestOf, payloadDamaged, payloadMissing } from './payload-ref.ts'

export class PayloadFolder {
  readonly #folder: string
  /** Verified files, with their size and time then: reading a range need not hash the whole file again. */
  readonly #checked = new Map<string, string>()

  constructor(folder: string) {
    this.#folder = folder
  }

  async put(content: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<string> {
    const temporary = join(this.#folder, `incoming-${randomUUID()}`)
    try {
      await mkdir(this.#folder, privateFolder)
      const ref = await write(temporary, content)
      const path = this.#path(ref)
      const isNewFolder = (await mkdir(dirname(path), privateFolder)) !== undefined
      await rename(temporary, path)
      // The log may refer to this file as soon as we return: its directory entry must be on disk as well.
      await syncFolder(dirname(path))
      if (isNewFolder) await syncFolder(this.#folder)
      return ref
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {})
      throw asConveneError(error, this.#folder)
    }
  }

  async read(ref: string, range: { start?: number; end?: number } = {}): Promise<Uint8Array> {
    const path = this.#path(ref)
    await this.#check(ref, path)
    if (range.start === undefined && range.end === undefined) return readFile(path)
    const { size } = await stat(path)
    const { start, end } = clampRange(size, range)
    const bytes = Buffer.alloc(end - start)
    const file = await open(path, 'r')
    try {
      await file.read(bytes, 0, bytes.length, start)
    } finally {
      await file.close()
    }
    return bytes
  }

  async #check(ref: string, path: string): Promise<void> {
    const details = await stat(path).catch(() => {
      throw payloadMissing(ref, this.#folder)
    })
    const seen = `${details.size}:${details.mtimeMs}`
    if (this.#checked.get(ref) === seen) return
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(path)) hash.update(chunk)
    if (`sha256:${hash.digest('hex')}` !== ref) throw payloadDamaged(ref, path)
    this.#checked.set(ref, seen)
  }

  #path(ref: string): string {
    const digest = digestOf(ref)
    return join(this.#folder, digest.slice(0, 2), digest.slice(2))
  }
}

async function write(path: string, content: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  const file = await open(path, 'wx', privateFile.mode)
  try {
    for await (const chunk of chunksOf(content)) {
      hash.update(chunk)
      await writeAll(file, chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return `sha256:${hash.digest('hex')}`
}

/** A nearly full disk may write only part of a chunk without an error; only the next write fails. */
async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let offset = 0; offset < chunk.length; ) offset += (await file.write(chunk, offset)).bytesWritten
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
