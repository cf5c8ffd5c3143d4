/** Payloads in the database, in parts of one megabyte: written once, verified when read. */
import { createHash, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { chunksOf, clampRange, digestOf, payloadDamaged, payloadMissing } from './payload-ref.ts'
import type { PostgresDatabase } from './postgres-database.ts'

const partSize = 1024 * 1024

interface Part {
  n: number
  size: number
  /** Changes with every change of the row. */
  version: string
}

export class PostgresPayloads {
  readonly #database: PostgresDatabase
  /** Verified payloads, with the versions of their parts then: reading a range need not read the whole again. */
  readonly #checked = new Map<string, string>()

  constructor(database: PostgresDatabase) {
    this.#database = database
  }

  put(content: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<string> {
    const upload = randomUUID()
    return this.#database.aside(async (client) => {
      const ref = await this.#upload(client, upload, content)
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, $2))', [ref, this.#database.project])
      // Of two uploads of the same content the later stays: it repairs one that was damaged.
      const before = `DELETE FROM ${this.#parts} WHERE upload = (SELECT upload FROM ${this.#payloads} WHERE project = $1 AND ref = $2)`
      await client.query(before, [this.#database.project, ref])
      const name = `INSERT INTO ${this.#payloads} (project, ref, upload) VALUES ($1, $2, $3)
        ON CONFLICT (project, ref) DO UPDATE SET upload = excluded.upload`
      await client.query(name, [this.#database.project, ref, upload])
      return ref
    })
  }

  async read(ref: string, range: { start?: number; end?: number } = {}): Promise<Uint8Array> {
    digestOf(ref)
    const upload = await this.#uploadOf(ref)
    const parts = await this.#partsOf(upload)
    const versions = `${upload} ${parts.map(({ version }) => version).join(' ')}`
    if (this.#checked.get(ref) !== versions) {
      const whole = await this.#readParts(upload, parts)
      if (`sha256:${createHash('sha256').update(whole).digest('hex')}` !== ref)
        throw payloadDamaged(ref, `a payload in ${this.#database.shown}`)
      this.#checked.set(ref, versions)
      const { start, end } = clampRange(whole.length, range)
      return whole.subarray(start, end)
    }
    const { start, end } = clampRange(
      parts.reduce((sum, { size }) => sum + size, 0),
      range,
    )
    return this.#readRange(upload, parts, start, end)
  }

  get #payloads(): string {
    return this.#database.table('payloads')
  }

  get #parts(): string {
    return this.#database.table('payload_parts')
  }

  async #upload(
    client: pg.ClientBase,
    upload: string,
    content: string | Uint8Array | AsyncIterable<Uint8Array>,
  ): Promise<string> {
    const hash = createHash('sha256')
    let n = 0
    let waiting: Buffer[] = []
    let size = 0
    const write = async () => {
      const sql = `INSERT INTO ${this.#parts} (upload, n, bytes) VALUES ($1, $2, $3)`
      await client.query(sql, [upload, n++, Buffer.concat(waiting)])
      waiting = []
      size = 0
    }
    for await (const chunk of chunksOf(content)) {
      hash.update(chunk)
      for (let offset = 0; offset < chunk.length; ) {
        // A copy: the producer may use its buffer again.
        const piece = Buffer.from(chunk.subarray(offset, offset + partSize - size))
        waiting.push(piece)
        size += piece.length
        offset += piece.length
        if (size === partSize) await write()
      }
    }
    if (size > 0) await write()
    return `sha256:${hash.digest('hex')}`
  }

  async #uploadOf(ref: string): Promise<string> {
    const sql = `SELECT upload FROM ${this.#payloads} WHERE project = $1 AND ref = $2`
    const [row] = await this.#database.query<{ upload: string }>(sql, [this.#database.project, ref])
    if (!row) throw payloadMissing(ref, this.#database.shown)
    return row.upload
  }

  #partsOf(upload: string): Promise<Part[]> {
    const sql = `SELECT n, length(bytes) AS size, xmin::text AS version FROM ${this.#parts} WHERE upload = $1 ORDER BY n`
    return this.#database.query<Part>(sql, [upload])
  }

  async #readParts(upload: string, parts: Part[]): Promise<Buffer> {
    const read: Buffer[] = []
    for (const { n } of parts) {
      const sql = `SELECT bytes FROM ${this.#parts} WHERE upload = $1 AND n = $2`
      const [row] = await this.#database.query<{ bytes: Buffer }>(sql, [upload, n])
      if (row) read.push(row.bytes)
    }
    return Buffer.concat(read)
  }

  async #readRange(upload: string, parts: Part[], start: number, end: number): Promise<Uint8Array> {
    const read: Buffer[] = []
    let at = 0
    for (const { n, size } of parts) {
      const [from, to] = [Math.max(start - at, 0), Math.min(end - at, size)]
      at += size
      if (from >= to) continue
      const sql = `SELECT substring(bytes FROM $3 FOR $4) AS bytes FROM ${this.#parts} WHERE upload = $1 AND n = $2`
      const [row] = await this.#database.query<{ bytes: Buffer }>(sql, [upload, n, from + 1, to - from])
      if (row) read.push(row.bytes)
    }
    return Buffer.concat(read)
  }
}
