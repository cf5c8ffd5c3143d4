/** `convene doctor`: what can be used here, and the line that fixes the rest. */
import { costOfTrying, tryAgents } from '../../agents/detect/try-agents.ts'
import { readerState } from '../../build/reader-state.ts'
import { proveSandbox } from '../../build/sandbox-proof.ts'
import { loadConfig } from '../../kernel/config/load.ts'
import { requireTrust } from '../../kernel/trust/trusted-reach.ts'
import { withProgress } from '../display/command-progress.ts'
import type { Output } from '../display/output.ts'
import { doctor } from '../doctor/doctor.ts'
import { renderDoctor } from '../doctor/render-doctor.ts'
import { renderProof } from '../doctor/render-proof.ts'
import type { CommandContext } from './command.ts'

export async function doctorCommand(
  { output, folder, env }: CommandContext,
  options: { sandbox?: boolean; try?: boolean } = {},
): Promise<number> {
  if (options.sandbox) return proveHere(output, folder, env)
  const diagnosis = await doctor({
    folder,
    env,
    progress: (line) => {
      if (!output.json) output.note(line)
    },
    reader: (project) => withProgress(output, (announce) => readerState(project, env, announce)),
  })
  if (options.try) {
    const project = loadConfig({ folder, env })
    requireTrust(project, env)
    output.note(costOfTrying(diagnosis.agents, project) ?? 'No agent can be asked yet.')
    diagnosis.agents = await tryAgents(project, env, diagnosis.agents)
    diagnosis.ready &&= diagnosis.agents.some(({ state }) => state === 'ok')
  }
  output.data(diagnosis)
  output.print(renderDoctor(diagnosis, { color: output.terminal, columns: process.stdout.columns }))
  return diagnosis.ready ? 0 : 1
}

/** `--sandbox`: tries what a command must not be able to do. Exit code 1 if one promise does not hold. */
async function proveHere(output: Output, folder: string, env: CommandContext['env']): Promise<number> {
  const proof = await proveSandbox(loadConfig({ folder, env }), env)
  const holds = proof.sandbox !== null && proof.promises.every((promise) => promise.holds)
  output.data({ holds, ...proof })
  output.print(renderProof(proof, { color: output.terminal }))
  return holds ? 0 : 1
}
