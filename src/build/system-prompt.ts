/** The system prompt of a build's agents, with the commands in force. GR9. */
import { knownNow } from '../rules/context/commands-in-force.ts'
import type { Node } from './node.ts'

export function systemPrompt({ deps, workspace, input: { system } }: Node): string {
  // Builds that began under an earlier version recorded the text.
  if (typeof system === 'string') return system
  return deps.prompts.render('builder', { ...knownNow(system, workspace.project) })
}
