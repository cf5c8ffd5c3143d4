/** A project's scripts: those of `package.json`, and the recipes of a Makefile. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scripts } from './recognise-runner.ts'

export async function projectScripts(folder: string): Promise<Scripts> {
  const read = (name: string) => readFile(join(folder, name), 'utf8').catch(() => '')
  const [manifest = '', ...makefiles] = await Promise.all(
    ['package.json', 'GNUmakefile', 'makefile', 'Makefile'].map(read),
  )
  return scriptsOf(manifest, makefiles.find(Boolean) ?? '')
}

export function scriptsOf(manifest: string, makefile: string): Scripts {
  const scripts = new Map<string, unknown>(Object.entries(scriptsIn(manifest)))
  return {
    script(name) {
      const text = scripts.get(name)
      return typeof text === 'string' ? text : undefined
    },
    recipe: (target) => recipeIn(makefile, target || firstTarget(makefile)),
  }
}

function scriptsIn(manifest: string): object {
  try {
    const { scripts } = JSON.parse(manifest) as { scripts?: unknown }
    return typeof scripts === 'object' && scripts !== null ? scripts : {}
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
