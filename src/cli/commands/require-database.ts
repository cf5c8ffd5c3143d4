/** For commands that make sense only where several processes share a project. */
import type { LoadedConfig } from '../../kernel/config/load.ts'
import { ConveneError } from '../../kernel/errors.ts'

export function requireDatabase({ config }: LoadedConfig, command: string): void {
  if (config.engine.url !== undefined) return
  throw new ConveneError(
    'no_database',
    `convene ${command} needs a shared database. Set engine.url or CONVENE_DATABASE_URL.`,
    { path: 'engine.url', expected: 'postgres://user:password@host:5432/database' },
  )
}
