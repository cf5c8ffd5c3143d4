/** Finds or installs what the tests of a shared database need. Without it those tests are skipped with a reason. */
import { spawnSync } from 'node:child_process'
import { installFromDebian } from './debian.ts'

export function installDatabaseTools(): void {
  const missing = ['openssl', 'pgbouncer'].filter((name) => !isThere(name))
  if (missing.length > 0) installFromDebian('certificates and a pooler', [missing])
}

/** Debian puts daemons where only root looks for commands. */
function isThere(name: string): boolean {
  return spawnSync('sh', ['-c', `PATH="$PATH:/usr/sbin" command -v ${name}`], { stdio: 'ignore' }).status === 0
}
