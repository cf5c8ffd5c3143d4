/** Reads `issues.json`, written by a plan or by hand. */
import { readFileSync } from 'node:fs'
import { ConveneError } from '../../kernel/errors.ts'
import { parseYaml } from '../../kernel/safe-yaml.ts'
import { inputError } from '../../rules/schema/rule.ts'
import { type IssueDefinition, issuesFileSchema } from '../../ship/events.ts'
import { oneSpelling } from '../../ship/feature-name.ts'

export function readIssues(file: string, feature: string): IssueDefinition[] {
  let value: unknown
  try {
    value = parseYaml(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new ConveneError('invalid_issues', `${file}: ${(error as Error).message.split('\n')[0]}`, { path: file })
  }
  const parsed = issuesFileSchema.safeParse(value)
  if (!parsed.success) {
    const { message, path: where, expected } = inputError(parsed.error)
    throw new ConveneError('invalid_issues', `${file}: ${message}`, { path: where, expected })
  }
  if (oneSpelling(parsed.data.feature) !== feature)
    throw new ConveneError('invalid_issues', `${file} is about feature '${parsed.data.feature}', not '${feature}'`, {
      path: 'feature',
      expected: feature,
    })
  return parsed.data.issues
}
