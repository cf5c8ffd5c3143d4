/** A project's scripts: those of `package.json`, and the recipes of a Makefile. */
import { join } from 'node:path'
import { readLeftFile } from '../commands/read-left-file.ts'
import type { Scripts } from './recognise-runner.ts'

export async function projectScripts(folder: string): Promise<Scripts> {
  const read = (name: string) => readLeftFile(join(folder, name), { links: true })
  const [manifest = '', ...makefiles] = await Promise.all(
    ['package.json', 'GNUmakefile', 'makefile', 'Makefile'].map(read),
  )
  return scriptsOf(manifest, makefiles.find(Boolean) ?? '')
}

export function scriptsOf(manifest: string, makefile: string): Scripts {
  const scripts = new Map(Object.entries(scriptsIn(manifest)))
  return {
    script: (name) => scripts.get(name),
    recipe: (target) => recipeIn(makefile, target || firstTarget(makefile)),
  }
}

/** The scripts of a `package.json`; none if it cannot be read. */
export function scriptsIn(manifest: string): Record<string, string> {
  try {
    const { scripts } = JSON.parse(manifest) as { scripts?: unknown }
    const all = typeof scripts === 'object' && scripts !== null ? Object.entries(scripts) : []
    return Object.fromEntries(all.filter((one): one is [string, string] => typeof one[1] === 'string'))
  } catch {
    return {}
  }
}

function firstTarget(makefile: string): string {
  return /^([\w-][\w.-]*)\s*:(?!=)/m.exec(makefile)?.[1] ?? ''
}

function recipeIn(makefile: string, target: string): string | undefined {
  const lines = makefile.split('\n')
  const start = lines.findIndex((line) => line.startsWith(target) && /^\s*:(?!=)/.test(line.slice(target.length)))
  if (target === '' || start === -1) return undefined
  const below = lines.slice(start + 1)
  const end = below.findIndex((line) => !/^\t|^\s*$|^#/.test(line))
  const recipe = end === -1 ? below : below.slice(0, end)
  return recipe.map((line) => line.replace(/^\t[@+-]*/, '')).join('\n')
}
