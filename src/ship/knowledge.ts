/** What an agent that builds an issue is told about the project and the issues before it. CX3. */
import { inRepository, type Workshop } from '../build/workshop.ts'
import { type CodingContext, selectCodingContext } from '../rules/coding-context.ts'
import type { FeatureView, IssueView } from './view.ts'

export async function knowledgeFor(
  shop: Workshop,
  commit: string,
  view: FeatureView,
  issue: IssueView,
  countTokens: (text: string) => number,
): Promise<CodingContext> {
  const names = ['CLAUDE.md', 'AGENTS.md', 'README.md']
  const texts = await shop.repository.readFiles(
    commit,
    names.map((name) => inRepository(shop, name)),
  )
  const files = names.flatMap((name) => {
    const text = texts.get(inRepository(shop, name))
    return text ? [{ name, text: text.toString('utf8') }] : []
  })
  const done = view.issues.filter(({ state, summary }) => state === 'DONE' && summary !== undefined)
  const modules = done.flatMap((one) => one.modules.map((module) => ({ ...module, issue: one.number })))
  const summaries = done.map(({ number, summary, key_files }) => ({ issue: number, summary: summary!, key_files }))
  return selectCodingContext({ files, modules, summaries, dependencies: issue.depends_on }, countTokens)
}
