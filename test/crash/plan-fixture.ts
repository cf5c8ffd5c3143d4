/**
 * Starts or resumes the plan in a project's folder: `<folder> <moment>`. At its n-th moment the process kills itself;
 * moment 0 means never. Every call to an agent is logged before it is made.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/kernel/config/load.ts'

export const planId = 'plan-00000000-0000-4000-8000-000000c4a54e'

/** One line for every moment reached. */
export const momentsFile = (folder: string) => join(folder, '.convene/moments')
/** One line for every call: the ask's run and step. */
export const callsFile = (folder: string) => join(folder, '.convene/calls')

if (import.meta.main) {
  const [folder, crashAt] = process.argv.slice(2) as [string, string]
  let moments = 0
  const observe = ({ at, run, name }: { at: string; run: string; name: string }) => {
    moments++
    appendFileSync(momentsFile(folder), `${at} ${run} ${name}\n`)
    if (moments === Number(crashAt)) process.kill(process.pid, 'SIGKILL')
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
  if (await app.engine.get(planId)) await app.engine.resume(planId)
  else
    await app.plans.start({
      id: planId,
      goal: 'Turn a file of rows into a report',
      mode: 'complete',
      answers: [{ match: '?', answer: 'only the totals' }],
    })
  await app.engine.result(planId)
  await app.close()
}
