/** `convene trust`: shows what the configuration reaches beyond the repository, and accepts it for this user. */
import { createInterface } from 'node:readline/promises'
import { loadConfig } from '../../kernel/config/load.ts'
import { redactShapes } from '../../kernel/redaction/redact.ts'
import { isTrusted, reachOf, trust, trustStateOf } from '../../kernel/trust/trusted-reach.ts'
import { shownValue } from '../../rules/trust/shown-value.ts'
import type { CommandContext } from './command.ts'

export async function trustCommand(context: CommandContext, { show }: { show?: boolean }): Promise<number> {
  const { output, env } = context
  const project = loadConfig(context)
  const reach = reachOf(project).map(({ path, value }) => ({ path, value: redactShapes(value) }))
  const lasting = { ...env, CONVENE_TRUST: undefined }
  const known = isTrusted(project, lasting)
  const { since, changed, added, removed } = trustStateOf(project, lasting)
  if (reach.length === 0)
    output.print('convene.yaml reaches nothing beyond this repository; there is nothing to trust.')
  else output.print(`${project.file} reaches beyond this repository:`)
  const news = (path: string) => (changed.includes(path) ? ' (changed)' : added.includes(path) ? ' (new)' : '')
  for (const { path, value } of reach) output.print(`  ${shownValue(path)}: ${shownValue(value)}${news(path)}`)
  const accepted = known || (!show && (await isAccepted(output.terminal)))
  if (accepted && !known) trust(project, env)
  output.data({
    file: project.file ?? null,
    trusted: accepted,
    ...(since === undefined ? {} : { since }),
    reach,
    changed,
    added,
    removed,
  })
  if (reach.length > 0) output.print(verdict({ known, accepted, since }))
  return accepted || show ? 0 : 1
}

function verdict({ known, accepted, since }: { known: boolean; accepted: boolean; since?: string }): string {
  if (known) return `You have trusted this${since === undefined ? '' : ` since ${since.slice(0, 10)}`}.`
  return accepted ? 'Trusted, until one of these values changes.' : "Not trusted. Accept it with 'convene trust'."
}

/** Without a terminal the command itself is the answer. */
async function isAccepted(terminal: boolean): Promise<boolean> {
  if (!terminal || !process.stdin.isTTY) return true
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new Promise<string>((resolve) => reader.once('close', () => resolve('')))
  try {
    const said = await Promise.race([reader.question('Trust this? (y/N): '), closed])
    return /^y(?:es)?$/i.test(said.trim())
  } finally {
    reader.close()
  }
}
