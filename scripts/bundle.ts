/**
 * Bundles the sources into the JavaScript that the package ships: one chunk graph, each command loaded when it runs.
 */
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** Programs that Convene starts by file name, and the rule that the hook loads, keep their names. */
const entries = {
  main: './src/cli/main.ts',
  'git-helper': './src/workspace/git/git-helper.ts',
  'group-helper': './src/workspace/commands/group-helper.ts',
  'exit-relay': './src/agents/acp/exit-relay.ts',
  'search-worker': './src/agents/tools/search-worker.ts',
  'rules/plan/risk': './src/rules/plan/risk.ts',
}

export async function bundle(outputFolder: string): Promise<void> {
  const graph = await rolldown({
    cwd: join(import.meta.dirname, '..'),
    input: entries,
    platform: 'node',
    // Dependencies are installed beside the package.
    external: /^[^./]/,
  })
  await graph.write({
    dir: outputFolder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  await graph.close()
}
