/** Summarises a finished issue, with its modules, for the agents that build later issues. FA3. */

import { fenced } from '../../forge/markdown.ts'
import type { Run, StepContext } from '../../kernel/engine.ts'
import { askInStep } from '../../kernel/runs/ask-in-run.ts'
import { isBuiltOn, readSummary, summariseWork } from '../../rules/issues/issue-summary.ts'
import type { ShipDeps } from '../deps.ts'
import { summaryWritten } from '../events.ts'
import { eventHeader, issueIn, readFeature } from '../feature-state.ts'
import type { IssueInput } from './issue-run.ts'
import { modulesOf, type TouchedPath } from './module-registry.ts'

export async function summarise(
  run: Run,
  deps: ShipDeps,
  { feature, number }: IssueInput,
  commit: string,
  files: readonly TouchedPath[],
  changes: { symbol: string; changeType: string }[],
): Promise<void> {
  if (!deps.settings.coordination.generate_summaries) return
  await run.step('summary', async (step) => {
    const view = await readFeature(deps, feature)
    const issue = issueIn(view, number)
    const symbolsOf = (...types: string[]) =>
      changes.filter(({ changeType }) => types.includes(changeType)).map(({ symbol }) => symbol)
    const symbols = {
      added: symbolsOf('NewExport'),
      changed: symbolsOf('SignatureChange', 'BehaviorChange'),
      removed: symbolsOf('RemovedExport'),
    }
    const paths = files.map(({ path }) => path)
    const byRule = summariseWork({ title: issue.title, subject: issue.title, symbols, files: paths })
    const written = isBuiltOn(number, view.issues)
      ? await askSummary(run, step, deps, { feature, number, title: issue.title, commit, paths, added: symbols.added })
      : null
    const modules = await modulesOf(await deps.workspace(), commit, files, issue.title)
    const key_files = modules.map(({ path }) => path).slice(0, 5)
    step.emit(
      summaryWritten.create(eventHeader(feature, run.runId), {
        issue: number,
        summary: written ?? byRule,
        by: written === null ? 'rule' : 'agent',
        key_files,
        modules,
      }),
    )
  })
}

interface ToSummarise {
  feature: string
  number: number
  title: string
  commit: string
  paths: readonly string[]
  added: readonly string[]
}

const longestDiff = 12_000

/** Null if the agent gave no usable answer. */
async function askSummary(
  run: Run,
  step: StepContext,
  deps: ShipDeps,
  { feature, number, title, commit, paths, added }: ToSummarise,
): Promise<string | null> {
  const { repository } = await deps.workspace()
  const diff = await repository.diff(`${commit}^1`, commit, { maxCharacters: longestDiff })
  const prompt = [
    `Issue #${number} of ${feature}, "${title}", is done (commit ${commit.slice(0, 10)}).`,
    `Files: ${paths.join(', ')}.\nExports: ${added.join(', ') || 'none new'}.`,
    `${diff.cut ? 'The start of its diff' : 'Its diff'}:\n\n${fenced(diff.text, 'diff')}`,
    'Say in one or two sentences what it brought, for an agent that builds on it: names, behaviour and limits that the diff shows. Reply with {"summary": "…"}.',
  ].join('\n\n')
  const { exit } = await askInStep(run, step, deps, {
    agent: deps.coordinator(),
    kind: 'summary',
    messages: () => [{ role: 'user', content: prompt }],
    facts: { node: `${feature}-${number}` },
    stream: eventHeader(feature).stream,
    feature,
  })
  return exit.ok ? readSummary(exit.value) : null
}
