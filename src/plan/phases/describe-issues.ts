/** Renders a plan's issues as a page: dependencies, criteria, and the decisions and risks behind them. */
import { oneLine } from '../../rules/text/one-line.ts'
import { closeFences } from '../artefacts.ts'
import { figure, listSection } from '../wording.ts'
import type { SoundIssue } from './issues.ts'

export function describeIssues(
  issues: readonly SoundIssue[],
  {
    carried,
    open,
    assumptions,
    degraded,
  }: {
    carried: readonly string[]
    /** HIGH and MEDIUM questions that nobody has answered. */
    open: readonly string[]
    assumptions: readonly string[]
    degraded: readonly string[]
  },
): string {
  return [
    listSection('Degraded: not everything was done as planned', degraded),
    // A diagram without an edge shows nothing.
    issues.some(({ depends_on }) => depends_on.length > 0) ? graphOf(issues) : '',
    ...issues.map(sectionOf),
    listSection('Risks carried', carried),
    listSection('Questions still open', open),
    listSection('Assumptions', assumptions),
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** Escapes a Mermaid label: drops quotes and markup. */
function graphOf(issues: readonly SoundIssue[]): string {
  const label = (title: string) => oneLine(title.replace(/["`[\]{}()|<>#;&\\]/g, ' '), 60)
  return [
    '```mermaid',
    'graph TD',
    ...issues.map(({ number, title }) => `  i${number}["${number}. ${label(title)}"]`),
    ...issues.flatMap(({ number, depends_on }) => depends_on.map((one) => `  i${one} --> i${number}`)),
    '```',
  ].join('\n')
}

function sectionOf(issue: SoundIssue): string {
  const { number, title, body, acceptance_criteria, depends_on, size, business_value, risk } = issue
  const after = depends_on.length > 0 ? `, after ${depends_on.map((one) => `#${one}`).join(', ')}` : ''
  return [
    `## #${number} ${oneLine(title, 200)}`,
    closeFences(body.replace(/^(#+) /gm, '###$1 ')),
    acceptance_criteria
      .map(
        ({ id, text, kind = 'new' }) =>
          `- [ ] **${id}**${kind === 'new' ? '' : ` (${kind})`}: ${text.replace(/\s+/g, ' ')}`,
      )
      .join('\n'),
    issue.context ? closeFences(issue.context) : '',
    `_Size ${size}, value ${figure(business_value)}, risk ${figure(risk)}${after}. Built as \`${issue.target_path}\`, tested in \`${issue.test_path}\`._`,
  ]
    .filter(Boolean)
    .join('\n\n')
}
