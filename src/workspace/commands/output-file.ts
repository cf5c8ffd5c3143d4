/** A command's output in a file, so that a long output takes disk space instead of memory. */
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface OutputFile {
  readonly path: string
  readonly bytes: number
  stream(): AsyncIterable<Uint8Array>
  /** The whole text, or its last `max` bytes. */
  text(max?: number): Promise<string>
  remove(): Promise<void>
}

const tailBytes = 8 * 1024

/** Appends output up to a limit. */
export class OutputWriter {
  readonly #file: FileHandle
  readonly #path: string
  readonly #limit: number
  #bytes = 0

  private constructor(file: FileHandle, path: string, limit: number) {
    this.#file = file
    this.#path = path
    this.#limit = limit
  }

  static async create(limit: number): Promise<OutputWriter> {
    const path = join(await mkdtemp(join(tmpdir(), 'convene-output-')), 'output')
    return new OutputWriter(await open(path, 'wx'), path, limit)
  }

  /** Returns the part that was written; shorter than the chunk if the limit is reached. */
  async write(piece: Buffer): Promise<Buffer> {
    const kept = piece.subarray(0, Math.max(0, this.#limit - this.#bytes))
    // A write may be partial.
    for (let done = 0; done < kept.length; ) done += (await this.#file.write(kept, done)).bytesWritten
    this.#bytes += kept.length
    return kept
  }

  /** Appends a line of Convene's own, beyond the limit too. */
  async note(text: string): Promise<void> {
    this.#bytes += (await this.#file.write(text)).bytesWritten
  }

  /** The last 8 KB so far. */
  tail(): Promise<string> {
    return new StoredOutput(this.#path, this.#bytes).text(tailBytes)
  }

  async close(): Promise<{ output: OutputFile; tail: string }> {
    await this.#file.close()
    const output = new StoredOutput(this.#path, this.#bytes)
    return { output, tail: await output.text(tailBytes) }
  }
}

class StoredOutput implements OutputFile {
  readonly path: string
  readonly bytes: number

  constructor(path: string, bytes: number) {
    this.path = path
    this.bytes = bytes
  }

  stream(): AsyncIterable<Uint8Array> {
    return createReadStream(this.path)
  }

  async text(max = this.bytes): Promise<string> {
    const start = Math.max(0, this.bytes - max)
    const bytes = Buffer.alloc(this.bytes - start)
    const file = await open(this.path)
    try {
      const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
      return withoutCutCharacter(bytes.subarray(0, bytesRead), start > 0).toString('utf8')
    } finally {
      await file.close()
    }
  }

  async remove(): Promise<void> {
    await rm(dirname(this.path), { recursive: true, force: true })
  }
}

/** Removes a partial character at the cut. */
function withoutCutCharacter(bytes: Buffer, isCut: boolean): Buffer {
  if (!isCut) return bytes
  let start = 0
  while (start < Math.min(3, bytes.length) && (bytes[start]! & 0xc0) === 0x80) start++
  return bytes.subarray(start)
}
