/** A valid payload for every exit, for tests. Typed by the schemas, so that neither can drift from the other. */
import type { ExitPayload } from './exits.ts'
import type { ExitName } from './graph-table.ts'

export const samplePayloads: { [Name in ExitName]: ExitPayload<Name> } = {
  InitWork: { interfaceFile: 'src/parser.ts', contractSuite: 'test/contract.test.ts', testPlan: [] },
  ClarificationNeeded: { question: 'Which order?', ambiguityReference: 'c1', specSentence: 'It sorts.' },
  TestsReady: { testFiles: ['test/parser.test.ts'], pendingCriteria: ['c1'] },
  InvalidScaffold: { missingType: 'Token', expectedLocation: 'src/parser.ts' },
  Approved: { signOff: 'good', coverageReport: { criteriaWithTests: [['c1', 'parses']], criteriaMissing: [] } },
  MoreTests: {
    critiques: [{ file: 'src/parser.ts', line: 3, issue: 'no error case', requiredFix: 'reject an empty text' }],
    additionalTests: [{ criterionId: 'c1', plannedTestName: 'rejects nothing', approach: 'empty text' }],
  },
  Reject: { reason: 'wrong approach', missingCriteria: ['c1'] },
  TestsPassed: { iterations: 1, passedTests: ['parses'] },
  RequestRetry: { diagnosis: 'slow', strategyFrom: 'scan', strategyTo: 'index', failingTests: ['is quick'] },
  BlockedDependency: { missingSymbol: 'lex', expectedImportPath: './lexer.ts' },
  SpecAmbiguity: { specSentence: 'It sorts.', contradictionTrace: 'c1 against c2', question: 'Which order?' },
  Stuck: { diagnosis: 'cannot', recommendation: 'split it', attempts: 5 },
  MergeComplete: { author: 'parser', impactLevel: 'Additive', changes: [] },
  MergeRejected: { reason: 'BuildFailure', details: 'does not build', failingTests: ['parses'] },
  RebaseClean: {},
  RebaseAdapted: { adaptations: [{ symbol: 'lex', change: 'renamed', reason: 'the sibling renamed it' }] },
  RebaseConflict: {
    conflictFile: 'src/lexer.ts',
    ourChange: 'a loop',
    theirChange: 'a table',
    whyUnresolvable: 'both rewrote it',
  },
}
