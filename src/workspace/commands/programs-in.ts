/** Programs that a project's own commands name outright: a sandbox has to show them, wherever they lie. */
import { statSync } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Only for commands of the project: one that an agent wrote must not choose what it may see. */
export function programsIn(...commands: (string | undefined)[]): string[] {
  const named = commands.flatMap((command) => [...(command ?? '').matchAll(/(?:^|[\s"'=])(\/[^\s"';|&<>]+)/g)])
  const files = [...new Set(named.map((match) => match[1]!))].filter(isFile)
  return [...new Set(files.map(installationOf))]
}

/** `/opt/tool/bin/tool` needs what lies beside its `bin`, too. */
function installationOf(file: string): string {
  const folder = dirname(file)
  return basename(folder) === 'bin' && dirname(folder) !== '/' ? dirname(folder) : folder
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}
