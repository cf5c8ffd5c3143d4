/** `convene migrate --to <url>`: copies the local project into a shared database and leaves the local copy. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { projectIdentity } from '../../app/project-identity.ts'
import { loadConfig } from '../../kernel/config/load.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { becomeOwner } from '../../kernel/owner.ts'
import { stateFolderOf } from '../../kernel/owner-address.ts'
import { copyToPostgres } from '../../kernel/stores/copy-to-postgres.ts'
import { Database } from '../../kernel/stores/database.ts'
import { PostgresStore } from '../../kernel/stores/postgres.ts'
import { PostgresDatabase } from '../../kernel/stores/postgres-database.ts'
import { SqliteStore } from '../../kernel/stores/sqlite.ts'
import type { CommandContext } from './command.ts'

export async function migrateCommand(context: CommandContext, { to }: { to: string }): Promise<number> {
  const project = loadConfig(context)
  const stateFolder = stateFolderOf(project)
  const file = join(stateFolder, 'convene.db')
  if (!existsSync(file))
    throw new ConveneError('nothing_to_migrate', `there is no ${file}: this project has no local state to copy`)
  const owner = becomeOwner(stateFolder)
  if (!owner)
    throw new ConveneError('already_served', `${stateFolder} is in use. Stop that process first, then migrate.`, {
      exitCode: 1,
      status: 409,
    })
  const local = new Database(file)
  try {
    const payloadFolder = join(stateFolder, 'payloads')
    const identity = await projectIdentity(project, stateFolder)
    const database = await PostgresDatabase.open({ url: to, schema: project.config.engine.schema, project: identity })
    const shared = { database, store: new PostgresStore(database) }
    try {
      const store = new SqliteStore(local, { payloadFolder })
      const copied = await copyToPostgres({ folder: project.folder, payloadFolder, database: local, store }, shared)
      context.output.data({ ...copied, to: database.shown, project: identity })
      context.output.print(
        `Copied ${copied.events} events, ${copied.runs} runs (${copied.unfinished} unfinished) and ${copied.payloads} payloads to ${database.shown}; both sides agree.`,
      )
      context.output.note(
        'The local copy stays in .convene/. Set engine.url or CONVENE_DATABASE_URL to use the database.',
      )
      return 0
    } finally {
      await database.close()
    }
  } finally {
    local.close()
    owner.release()
  }
}
