/** Reads `issues.json`, written by a plan or by hand. */
import { readFileSync, statSync } from 'node:fs'
import type { ZodError } from 'zod'
import { ConveneError } from '../../kernel/errors.ts'
import { parseYaml } from '../../kernel/safe-yaml.ts'
import { criterionSchema } from '../../rules/build/spec.ts'
import { inputError } from '../../rules/schema/rule.ts'
import { type IssueDefinition, issueSchema, issuesFileSchema } from '../../ship/events.ts'
import { oneSpelling } from '../../ship/feature-name.ts'
import { fileProblem } from './arguments.ts'

export function readIssues(file: string, feature: string): IssueDefinition[] {
  let value: unknown
  try {
    value = read(file)
  } catch (error) {
    if (error instanceof ConveneError) throw error
    throw new ConveneError('invalid_issues', `${file}: ${fileProblem(error)}`, { path: file })
  }
  const parsed = issuesFileSchema.safeParse(value)
  if (!parsed.success) {
    const { path: where, expected } = inputError(parsed.error)
    throw new ConveneError('invalid_issues', `${file}: ${faultsIn(parsed.error)}`, { path: where, expected })
  }
  if (oneSpelling(parsed.data.feature) !== feature)
    throw new ConveneError('invalid_issues', `${file} is about feature '${parsed.data.feature}', not '${feature}'`, {
      path: 'feature',
      expected: feature,
    })
  return parsed.data.issues
}

const mostFaults = 8

/** All faults at once, each unknown key with the keys that are valid there. */
function faultsIn({ issues }: ZodError): string {
  const faults = issues.slice(0, mostFaults).map(({ path, ...issue }) => {
    const said = `${path.length > 0 ? `${path.join('.')}: ` : ''}${issue.message}`
    return issue.code === 'unrecognized_keys' ? `${said} (valid: ${validKeys(path).join(', ')})` : said
  })
  return [...faults, ...(issues.length > mostFaults ? [`and ${issues.length - mostFaults} more`] : [])].join('; ')
}

function validKeys(path: readonly PropertyKey[]): string[] {
  if (path.includes('acceptance_criteria')) return Object.keys(criterionSchema.shape)
  return Object.keys(path[0] === 'issues' ? issueSchema.shape : issuesFileSchema.shape)
}

/** The list and its envelope must fit into one request. */
const mostBytes = 1_000_000

/** TR13: the size is checked first, and JSON, which is YAML too, is read as JSON: much quicker. */
function read(file: string): unknown {
  const { size } = statSync(file)
  if (size > mostBytes) {
    const message = `${file}: a list of issues may have at most 1 MB (${mostBytes} bytes); this one has ${size}. Split it into several features.`
    throw new ConveneError('invalid_issues', message, { path: file, expected: `at most ${mostBytes} bytes` })
  }
  const text = readFileSync(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    return parseYaml(text)
  }
}
