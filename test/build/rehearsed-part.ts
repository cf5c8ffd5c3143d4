/** Rehearsal lines for work that is divided: each part says what its agents write, the rest follows from the tree. */
import { approved, type Line, type SpecFile } from './project.ts'

export interface Part {
  spec: SpecFile
  /** The files that the scaffold writes. */
  scaffold: Record<string, string>
  interfaceFile: string
  contract: string
  /** The test for each criterion that the part keeps. */
  tests: Record<string, string>
  testFiles: Record<string, string>
  code: Record<string, string | null>
  parts?: Part[]
}

/** A part that succeeds at once, and everything below it. */
export function rehearse(part: Part): Line[] {
  const { spec, parts = [] } = part
  const { id } = spec
  const testPlan = Object.entries(part.tests).map(([criterionId, plannedTestName]) => ({
    criterionId,
    plannedTestName,
    approach: 'as the criterion says',
  }))
  const childSpecs = parts.map((child) => child.spec)
  const { interfaceFile, contract: contractSuite } = part
  return [
    {
      when: { ask: 'scaffold', node: id },
      files: part.scaffold,
      reply: { InitWork: { interfaceFile, contractSuite, testPlan, childSpecs } },
    },
    {
      when: { ask: 'write-tests', node: id },
      files: part.testFiles,
      reply: { TestsReady: { testFiles: Object.keys(part.testFiles), pendingCriteria: Object.keys(part.tests) } },
    },
    {
      when: { ask: 'implement', node: id },
      files: part.code,
      reply: { TestsPassed: { iterations: 1, passedTests: [] } },
    },
    { when: { ask: 'review-impl', node: id }, reply: approved },
    ...parts.flatMap((child): Line[] => [
      ...rehearse(child),
      { when: { ask: 'judge-child', node: id, contains: `Judge ${child.spec.id},` }, reply: approved },
    ]),
  ]
}
