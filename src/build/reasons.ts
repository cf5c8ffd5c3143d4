/** Describes to an agent why it gets its work back. */
import type { BackEdgeReason } from '../rules/build/back-edge.ts'
import type { Critique, Exit } from '../rules/build/exits.ts'
import { problemText } from '../rules/schema/problem-text.ts'

export function describeReason(reason: BackEdgeReason): string {
  switch (reason.kind) {
    case 'missing-type':
      return `The test author needs \`${reason.missingType}\`, expected in ${reason.expectedLocation}, and it is not there. Complete the scaffold.`
    case 'missing-symbol':
      return `The implementer needs \`${reason.missingSymbol}\`, expected in ${reason.expectedImportPath}, and it is not there. Complete the scaffold.`
    case 'ambiguity':
      return `The implementer found the spec ambiguous. It says: "${reason.specSentence}". ${reason.contradictionTrace} ${reason.question} Settle it in the scaffold, or ask for clarification.`
    case 'critique':
      return reason.critiques.length === 0
        ? 'The review asks for more tests.'
        : `The review asks for more: ${reason.critiques.map(critique).join('; ')}. If a point is wrong, say why in "objection".`
    case 'retry':
      return `The last attempt did not work: ${reason.diagnosis} It used: ${reason.strategyFrom}. Now: ${reason.strategyTo}.${failing(reason.failingTests)}`
    case 'merge-rejected':
      return `Merging was refused (${reason.reason}): ${reason.details}.${failing(reason.failingTests)}`
    case 'rebase-conflict':
      return `The work could not be joined with what a sibling merged, in ${reason.conflictFile}. Ours: ${reason.ourChange} Theirs: ${reason.theirChange} ${reason.whyUnresolvable} The sibling's work is in your folder now, and your code is not; plan again on top of it.`
    case 'rebased':
      return 'A sibling was merged meanwhile; your folder holds its work.'
    case 'refused':
      return reason.problems.map((problem) => `[${problem.rule}] ${problemText(problem)}`).join('\n')
    default:
      return reason satisfies never
  }
}

/** What an exit says beside the reason that is named already, for the person who decides about it. */
export function exitDetail(exit: Exit): string {
  switch (exit.name) {
    case 'Stuck':
      return `It recommends: ${exit.payload.recommendation}`
    case 'Reject':
      return exit.payload.missingCriteria.length > 0 ? `Missing: ${exit.payload.missingCriteria.join(', ')}` : ''
    case 'ClarificationNeeded':
      return `About: "${exit.payload.specSentence}" ${exit.payload.ambiguityReference}`.trim()
    case 'SpecAmbiguity':
      return `About: "${exit.payload.specSentence}" ${exit.payload.contradictionTrace}`.trim()
    case 'RequestRetry':
      return `${exit.payload.diagnosis}${failing(exit.payload.failingTests)}`
    case 'MergeRejected':
      return `${exit.payload.details}${failing(exit.payload.failingTests)}`
    case 'MoreTests':
      return reviewReasons({ name: 'MoreTests', payload: exit.payload }).join('\n')
    default:
      return JSON.stringify(exit.payload)
  }
}

/** Why a review sends work back, a line each, for a person. */
export function reviewReasons(exit: Exit<'MoreTests' | 'Reject'>): string[] {
  if (exit.name === 'Reject') return [exit.payload.reason]
  const { critiques, additionalTests } = exit.payload
  return [
    ...critiques.map(critique),
    ...additionalTests.map(({ criterionId, plannedTestName }) => `a test for ${criterionId}: ${plannedTestName}`),
  ]
}

function failing(tests: readonly string[]): string {
  return tests.length > 0 ? ` Failing: ${tests.join(', ')}.` : ''
}

function critique({ file, issue, requiredFix }: Critique): string {
  return `${file === '' ? '' : `${file}: `}${issue}${requiredFix === '' ? '' : ` → ${requiredFix}`}`
}
