/** Asks a person once about imports that can run programs or bypass the sandbox. SPEC.md § VF5. */
import { askPerson } from '../../kernel/runs/questions.ts'
import { importQuestion, refusedImport, type UnsafeImport } from '../../rules/build/unsafe-imports.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import { buildStream, importsDecided } from '../events.ts'
import { eventHeader, type Node, subjectOf } from '../node.ts'

/** The imports that the person refused, as problems of the work. What was decided in this build is not asked again. */
export async function approveImports(node: Node, found: readonly UnsafeImport[]): Promise<Problem[]> {
  if (found.length === 0) return []
  const { run, deps, input } = node
  const decided = await run.step('imports decided before', async () => {
    const events = await deps.store.read({ stream: buildStream(input.build), types: [importsDecided.type] })
    return events.flatMap((event) => (importsDecided.is(event) ? [event.data] : []))
  })
  const isIn = (modules: readonly string[]) => (one: UnsafeImport) => modules.includes(one.module)
  const known = decided.flatMap(({ modules }) => modules)
  const refused = decided.filter(({ allowed }) => !allowed).flatMap(({ modules }) => modules)
  const open = found.filter((one) => !isIn(known)(one))
  if (open.length > 0) {
    const modules = [...new Set(open.map(({ module }) => module))]
    const context = { ...subjectOf(node), rule: 'VF5', modules, files: open.map(({ file }) => file) }
    const asked = {
      text: importQuestion(input.spec.id, open),
      choices: ['allow', 'refuse'],
      only_choices: true,
      context,
    }
    const { choice } = await deps.activity.whileWaiting(run.runId, () => askPerson(run, eventHeader(node), asked))
    const allowed = choice === 'allow'
    await run.append(importsDecided.create(eventHeader(node), { modules, allowed }))
    if (!allowed) refused.push(...modules)
  }
  return found.filter(isIn(refused)).map(refusedImport)
}
