/** The local store passes the store's contract suite. */
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Database } from '../../src/kernel/stores/database.ts'
import { SqliteStore } from '../../src/kernel/stores/sqlite.ts'
import { storeContract } from '../contract/store.ts'

storeContract('SQLite', async ({ folder, clock, redact }) => {
  const payloadFolder = join(folder, 'payloads')
  const database = new Database(join(folder, 'convene.db'))
  return {
    store: new SqliteStore(database, { payloadFolder, redact, now: () => clock.now() }),
    async damagePayload(ref, content) {
      const digest = ref.slice('sha256:'.length)
      const path = join(payloadFolder, digest.slice(0, 2), digest.slice(2))
      if (content === null) await rm(path)
      else await writeFile(path, content)
    },
    async countPayloads() {
      const files = await readdir(payloadFolder, { recursive: true, withFileTypes: true })
      return files.filter((file) => file.isFile()).length
    },
  }
})
