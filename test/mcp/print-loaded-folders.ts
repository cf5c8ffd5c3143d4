/** Prints the folders of `src/` that `convene mcp` loads before it offers its tools. */
import { registerHooks } from 'node:module'

const loaded = new Set<string>()
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const folder = /\/src\/(\w+)\/[^?]*\.ts$/.exec(found.url)?.[1]
    if (folder) loaded.add(folder)
    return found
  },
})

const { tools } = await import('../../src/mcp/tools.ts')
await import('../../src/cli/commands/mcp.ts')
console.log(JSON.stringify({ tools: tools.length, folders: [...loaded].sort() }))
