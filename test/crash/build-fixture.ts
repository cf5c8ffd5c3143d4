/**
 * Starts or resumes the build in a project's folder: `<folder> <moment> <self|group>`. At its n-th moment the process
 * kills itself, alone or with its whole process group, git included. Moment 0 means never.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/kernel/config/load.ts'
import { specSchema } from '../../src/rules/build/spec.ts'

export const buildId = 'build-crash'

/** One line for every moment reached. */
export function momentsFile(folder: string): string {
  return join(folder, '../moments')
}

if (import.meta.main) {
  const [folder, crashAt, whom] = process.argv.slice(2) as [string, string, string]
  // The process that the git wrapper has to kill.
  process.env.CRASHING_PROCESS = String(process.pid)
  let moments = 0
  const observe = ({ at, run, name }: { at: string; run: string; name: string }) => {
    moments++
    appendFileSync(momentsFile(folder), `${at} ${run} ${name}\n`)
    if (moments === Number(crashAt)) process.kill(whom === 'group' ? 0 : process.pid, 'SIGKILL')
  }
  const app = await createApp(loadConfig({ folder, env: process.env }), process.env, { observe })
  if (await app.engine.get(buildId)) await app.engine.resume(buildId)
  else {
    const spec = specSchema.parse(JSON.parse(readFileSync(join(folder, 'spec.json'), 'utf8')))
    await app.builds.start({ spec, strategy: 'graph', id: buildId })
  }
  await app.engine.result(buildId)
  await app.close()
}
