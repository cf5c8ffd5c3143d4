/** The title and text of an issue that Convene opens on the forge. GH5. */
import { inlineCode, plainWords } from '../../forge/markdown.ts'
import { type FeatureView, findIssue, type IssueView } from '../view.ts'

const longestTitle = 200

export function issueText(view: FeatureView, issue: IssueView): { title: string; body: string } {
  const paragraphs = issue.body
    .split(/\n{2,}/)
    .map((paragraph) => plainWords(paragraph))
    .filter(Boolean)
  const criteria = issue.acceptance_criteria.map(({ text }) => `- [ ] ${plainWords(text)}`)
  const needs = issue.depends_on.map((number) => {
    const github = findIssue(view, number)?.github
    return github === undefined ? `issue ${number} of the plan` : `#${github}`
  })
  const files = [issue.target_path, issue.test_path]
    .filter((path) => path !== undefined)
    .map((path) => inlineCode(path))
  return {
    title: issue.title.replace(/\s+/g, ' ').trim().slice(0, longestTitle).toWellFormed(),
    body: [
      ...paragraphs,
      `## Acceptance criteria\n\n${criteria.join('\n')}`,
      ...(needs.length > 0 ? [`Depends on ${needs.join(', ')}.`] : []),
      ...(files.length > 0 ? [`Files: ${files.join(', ')}`] : []),
      `Issue ${issue.number} of the feature ${inlineCode(view.feature)}, planned with Convene.`,
    ].join('\n\n'),
  }
}
