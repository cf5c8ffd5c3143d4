/** `convene doctor`: what can be used here, and the line that fixes the rest. */
import { readerState } from '../../build/reader-state.ts'
import { doctor } from '../doctor/doctor.ts'
import { renderDoctor } from '../doctor/render-doctor.ts'
import type { CommandContext } from './command.ts'

export async function doctorCommand({ output, folder, env }: CommandContext): Promise<number> {
  const diagnosis = await doctor({
    folder,
    env,
    reader: (project) => {
      if (output.terminal) output.print('Running the tests once, on a clean checkout of the last commit …')
      return readerState(project, env)
    },
  })
  output.data(diagnosis)
  output.print(renderDoctor(diagnosis, { color: output.terminal }))
  return diagnosis.ready ? 0 : 1
}
