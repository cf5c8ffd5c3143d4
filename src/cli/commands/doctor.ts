/** `convene doctor`: what works here, and the line that fixes the rest. */
import { doctor } from '../doctor/doctor.ts'
import { renderDoctor } from '../doctor/render-doctor.ts'
import type { CommandContext } from './command.ts'

export async function doctorCommand({ output, folder, env }: CommandContext): Promise<number> {
  const { findings, usable } = await doctor({ folder, env })
  output.data({ findings, usable })
  output.print(renderDoctor(findings, { color: output.terminal }))
  return usable ? 0 : 1
}
