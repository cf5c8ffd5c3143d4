/** A worker of one contender in a process of its own. It ends when it is killed. */
import type { OpenTeamWorker } from './team-chain.ts'
import { step } from './team-chain.ts'

const [module, name, url, capacity] = process.argv.slice(2) as [string, string, string, string]
const open = ((await import(module)) as Record<string, OpenTeamWorker>)[name]!
await open(url, Number(capacity), step)
process.send!('ready')
