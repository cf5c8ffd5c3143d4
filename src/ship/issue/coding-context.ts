/** Selects what an agent that builds an issue is told about the project and earlier issues. CX3. */
import { projectFilesAt } from '../../build/project-files.ts'
import type { ProjectWorkspace } from '../../build/workspace.ts'
import { type CodingContext, selectCodingContext } from '../../rules/context/coding-context.ts'
import { summariseWork } from '../../rules/issues/issue-summary.ts'
import type { FeatureView, IssueView } from '../view.ts'
import { modulesOf, touchedBy } from './module-registry.ts'

export async function codingContextFor(
  workspace: ProjectWorkspace,
  commit: string,
  view: FeatureView,
  issue: IssueView,
  countTokens: (text: string) => number,
): Promise<CodingContext> {
  const files = await projectFilesAt(workspace, commit)
  const done = await finishedWork(workspace, view, issue)
  const modules = done.flatMap((one) => one.modules.map((module) => ({ ...module, issue: one.number })))
  const summaries = done.map(({ number, summary, key_files }) => ({ issue: number, summary, key_files }))
  return selectCodingContext({ files, modules, summaries, dependencies: issue.depends_on }, countTokens)
}

interface Finished {
  number: number
  summary: string
  key_files: string[]
  modules: IssueView['modules']
}

/** At most this many finished issues without a summary are read from git: dependencies first, then the latest. */
const mostRecalled = 20

async function finishedWork(workspace: ProjectWorkspace, view: FeatureView, issue: IssueView): Promise<Finished[]> {
  const done = view.issues.filter(({ state, number }) => state === 'DONE' && number !== issue.number)
  const summed = done.flatMap(({ number, summary, key_files, modules }) =>
    summary === undefined ? [] : [{ number, summary, key_files, modules }],
  )
  const silent = done.filter(({ summary, commit }) => summary === undefined && commit !== undefined)
  const needed = silent.filter(({ number }) => issue.depends_on.includes(number))
  const others = silent.filter(({ number }) => !issue.depends_on.includes(number)).reverse()
  const recalled = await Promise.all([...needed, ...others].slice(0, mostRecalled).map((one) => recall(workspace, one)))
  return [...summed, ...recalled.flatMap((one) => one ?? [])].sort((a, b) => a.number - b.number)
}

/** [FA3] Summarises an issue from its commit, if it was built without Convene or its log was lost. */
async function recall(workspace: ProjectWorkspace, issue: IssueView): Promise<Finished | null> {
  try {
    const touched = await touchedBy(workspace, issue.commit!)
    const modules = await modulesOf(workspace, issue.commit!, touched, issue.title)
    const summary = summariseWork({
      title: issue.title,
      subject: issue.title,
      symbols: { added: modules.flatMap(({ symbols }) => symbols), changed: [], removed: [] },
      files: touched.map(({ path }) => path),
    })
    return { number: issue.number, summary, key_files: modules.map(({ path }) => path).slice(0, 5), modules }
  } catch {
    // The first commit has no parent, and a shallow clone lacks commits.
    return null
  }
}
