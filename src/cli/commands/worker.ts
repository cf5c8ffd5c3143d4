/** `convene worker`: takes runs of a shared project until stopped. */
import type { App } from '../../app.ts'
import { loadConfig } from '../../kernel/config/load.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { version } from '../../kernel/version.ts'
import { type Floor, floorOf, floors } from '../../rules/team/floors.ts'
import { type AgentsOfProject, hasAgentsFor, neededAgents } from '../../rules/team/needed-agents.ts'
import { wholeNumber } from './arguments.ts'
import type { CommandContext } from './command.ts'
import { untilInterrupted } from './interrupt.ts'
import { rejoining, untilFenced } from './rejoin.ts'
import { requireDatabase } from './require-database.ts'

interface WorkerOptions {
  capacity: string
  floors?: string
  agents?: string
}

export async function workerCommand(context: CommandContext, options: WorkerOptions): Promise<number> {
  const capacity = wholeNumber(options.capacity, '--capacity', { min: 1, max: 10_000 })!
  const wanted = floorsIn(options.floors)
  const project = loadConfig(context)
  requireDatabase(project, 'worker')
  const agents = agentsIn(options.agents, Object.keys(project.config.agents))
  const { createApp } = await import('../../app.ts')
  let isFirst = true
  const workOnce = async (interrupted: AbortSignal, joined: () => void) => {
    const takes = (workflow: string, input?: unknown) =>
      wanted.includes(floorOf(workflow)) && hasAgentsFor(neededAgents(workflow, input, agentsOf(app)), agents)
    const app = await createApp(project, context.env, { work: { capacity, takes, agents }, version: version() })
    try {
      await app.recover()
      joined()
      if (isFirst) {
        context.output.data({ pid: process.pid, capacity, floors: wanted, agents })
        context.output.print(`Working: at most ${capacity} runs at once, from ${wanted.join(', ')}. Ctrl-C ends it.`)
      }
      isFirst = false
      await untilFenced(app.fenced, interrupted)
    } finally {
      await app.close()
    }
  }
  return untilInterrupted(async (interrupted) => {
    await rejoining(context.output, interrupted, (joined) => workOnce(interrupted, joined))
    return 0
  })
}

const agentsOf = (app: App): AgentsOfProject => ({
  members: app.agents.members(),
  builders: app.builders,
  inRoom: (room) => app.rooms.list().find(({ id }) => id === room)?.agents,
})

function agentsIn(text: string | undefined, known: string[]): string[] {
  if (text === undefined) return known
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new ConveneError('usage', `--agents: there is no agent '${unknown}'`, {
      path: 'agents',
      expected: known.join(', '),
    })
  return names
}

function floorsIn(text: string | undefined): readonly Floor[] {
  if (text === undefined) return floors
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !(floors as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw new ConveneError('usage', `--floors: there is no floor '${unknown}'`, {
      path: 'floors',
      expected: floors.join(', '),
    })
  return names as Floor[]
}
