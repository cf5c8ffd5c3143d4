/**
 * Ships a goal in a project's folder, or resumes it: `<folder> <moment> <self|group>`. At its n-th moment the process
 * kills itself, alone or with its whole process group. Moment 0 means never. Every call to an agent is logged before
 * it is made.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/kernel/config/load.ts'

export const shipId = 'ship-0c4a5h'
/** Without plain letters, so that the feature is called by the ship's id and its issues can be admitted before. */
export const goal = '数行与词'
export const feature = 'plan-0c4a5h'

/** One line for every moment reached, and for every call: the ask's run and step. */
export const momentsFile = (folder: string) => join(folder, '../moments')
export const callsFile = (folder: string) => join(folder, '../calls')

if (import.meta.main) {
  const [folder, crashAt, whom] = process.argv.slice(2) as [string, string, string]
  let moments = 0
  const observe = ({ at, run, name }: { at: string; run: string; name: string }) => {
    moments++
    appendFileSync(momentsFile(folder), `${at} ${run} ${name}\n`)
    if (moments === Number(crashAt)) process.kill(whom === 'group' ? 0 : process.pid, 'SIGKILL')
  }
  const app = await createApp(loadConfig({ folder, env: process.env }), process.env, { observe })
  for (const name of app.agents.names()) {
    const agent = app.agents.get(name)
    const call = agent.call.bind(agent)
    agent.call = (request, options) => {
      appendFileSync(callsFile(folder), `${request.question.run}/${request.question.step}\n`)
      return call(request, options)
    }
  }
  if (await app.engine.get(shipId)) await app.runs.resume(shipId)
  else await app.ships.start({ id: shipId, goal, mode: 'rapid', yes: true, merge: true })
  await app.engine.result(shipId)
  await app.close()
}
