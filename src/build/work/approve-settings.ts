/** Asks a person once about settings of a checker that work needs changed. SPEC.md § TR7. */
import { askPerson } from '../../kernel/runs/questions.ts'
import { settingsQuestion } from '../../rules/trust/checker-settings.ts'
import { buildStream, settingsDecided } from '../events.ts'
import { eventHeader, type Node, subjectOf } from '../node.ts'

/** What a person decided about settings in this build, by their lines. Call it inside a step. */
export async function decidedSettings({ deps, input }: Node): Promise<{ allowed: Set<string>; refused: Set<string> }> {
  const events = await deps.store.read({ stream: buildStream(input.build), types: [settingsDecided.type] })
  const decided = events.flatMap((event) => (settingsDecided.is(event) ? [event.data] : []))
  const linesOf = (isAllowed: boolean) =>
    new Set(decided.filter(({ allowed }) => allowed === isAllowed).flatMap(({ lines }) => lines))
  return { allowed: linesOf(true), refused: linesOf(false) }
}

export async function approveSettings(node: Node, lines: string[]): Promise<boolean> {
  const { run, deps, input } = node
  const { text, detail } = settingsQuestion(input.spec.id, lines)
  const context = { ...subjectOf(node), rule: 'TR7', settings: lines, detail }
  const asked = { text, choices: ['allow', 'refuse'], only_choices: true, context }
  const { choice } = await deps.activity.whileWaiting(run.runId, () => askPerson(run, eventHeader(node), asked))
  const allowed = choice === 'allow'
  await run.append(settingsDecided.create(eventHeader(node), { lines, allowed }))
  return allowed
}
