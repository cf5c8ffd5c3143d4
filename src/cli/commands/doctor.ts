/** `convene doctor`: what can be used here, and the line that fixes the rest. */
import { readerState } from '../../build/reader-state.ts'
import { loadConfig } from '../../kernel/config/load.ts'
import { doctor } from '../doctor/doctor.ts'
import { renderDoctor } from '../doctor/render-doctor.ts'
import { costOfTrying, tryAgents } from '../doctor/try-agents.ts'
import type { CommandContext } from './command.ts'

export async function doctorCommand(
  { output, folder, env }: CommandContext,
  options: { try?: boolean } = {},
): Promise<number> {
  const diagnosis = await doctor({
    folder,
    env,
    reader: (project) => {
      if (output.terminal) output.print('Running the tests once, on a clean checkout of the last commit …')
      return readerState(project, env)
    },
  })
  if (options.try) {
    const project = loadConfig({ folder, env })
    output.note(costOfTrying(project))
    diagnosis.agents = await tryAgents(project, env, diagnosis.agents)
    diagnosis.ready &&= diagnosis.agents.some(({ state }) => state === 'ok')
  }
  output.data(diagnosis)
  output.print(renderDoctor(diagnosis, { color: output.terminal }))
  return diagnosis.ready ? 0 : 1
}
