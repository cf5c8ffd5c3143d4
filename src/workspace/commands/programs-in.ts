/** Programs that a project's commands name by absolute path, which the sandbox has to make visible. */
import { statSync } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Only for the project's own commands: an agent's command must not choose what it can read. */
export function programsIn(...commands: (string | undefined)[]): string[] {
  const named = commands.flatMap((command) => [...(command ?? '').matchAll(/(?:^|[\s"'=])(\/[^\s"';|&<>]+)/g)])
  const files = [...new Set(named.map((match) => match[1]!))].filter(isFile)
  return [...new Set(files.map(installationOf))]
}

/** `/opt/tool/bin/tool` also needs what is next to its `bin`. */
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
