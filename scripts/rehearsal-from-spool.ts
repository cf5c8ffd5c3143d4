/**
 * Makes a replayable rehearsal from what models said: `node scripts/rehearsal-from-spool.ts <spool> <folder> [--base <project>]`.
 *
 * A spool holds the requests that an OpenAI-compatible endpoint received (`0001.json`, with `body`) and the replies it gave
 * (`0001.reply.json`, with `content` or `tool_calls`). The folder gets `script.yaml`, which rehearsal agents play, and for a room
 * `talk.yaml`: the person's messages, and who proposed and answered. Secrets, addresses and absolute paths are replaced.
 * Edits of files that the project already had are applied to those of `--base`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { stringify } from 'yaml'
import { type Exchange, readSpool } from './spool.ts'
import { linesOf, talkOf } from './spool-to-script.ts'

const { positionals, values } = parseArgs({ allowPositionals: true, options: { base: { type: 'string' } } })
const [spool, folder] = positionals
if (spool === undefined || folder === undefined) {
  console.error('usage: node scripts/rehearsal-from-spool.ts <spool> <folder> [--base <project>]')
  process.exit(2)
}

const exchanges: Exchange[] = readSpool(spool)
const inBase = (path: string) => {
  const file = values.base === undefined ? undefined : join(values.base, path)
  return file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
const { lines, unknown } = linesOf(exchanges, inBase)
const talk = talkOf(exchanges)
mkdirSync(folder, { recursive: true })
const about = '# What models said, recorded by scripts/rehearsal-from-spool.ts. Lines are used once, in this order.\n'
writeFileSync(join(folder, 'script.yaml'), about + stringify(lines, { lineWidth: 0 }))
if (talk.length > 0) writeFileSync(join(folder, 'talk.yaml'), stringify(talk, { lineWidth: 0 }))
console.log(`${folder}: ${lines.length} replies, ${talk.length} messages of the person`)
for (const what of unknown) console.log(`  not replayable: ${what}`)
