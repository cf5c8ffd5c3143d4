/** Failures that a runner reports beside its tests: no test is red for them, yet the command fails. SPEC.md § VF4. */

/** Only the runners' own lines: a test's title and what the code prints may speak of such failures too. */
const sentences = [
  // Vitest, AVA and Node.
  /^[\s⎯]*(?:Unhandled (?:Rejection|Error)s?\b|Unhandled rejection in\b|Uncaught [Ee]xception\b|\[?UnhandledPromiseRejection\b).*$/gm,
  /^\s*(?:Vitest caught )?\d+ (?:unhandled (?:error|rejection)|uncaught exception)s?\b.*$/gm,
  // Jest.
  /^\s*Your test suite must contain at least one test\b.*$/gm,
  // Coverage below what the project demands: Node; Jest; Vitest, c8 and nyc; pytest.
  /^[\s#ℹ]*Error: [\d.]+% \w+ coverage does not meet threshold\b.*$/gm,
  /^\s*Jest: .*\bcoverage threshold\b.*$/gm,
  /^\s*(?:ERROR: )?Coverage (?:for|failure)\b.*\b(?:threshold|not met|does not meet|less than)\b.*$/gm,
  /^\s*(?:FAIL|ERROR:?) Required test coverage\b.*$/gm,
]

/** One line for each, without numbers that differ from run to run. */
export function outsideFailures(output: string): string[] {
  const lines = sentences.flatMap((sentence) => [...output.matchAll(sentence)].map(([line]) => line))
  return [
    ...new Set(
      lines.map((line) =>
        line
          .replace(/[\d.]+/g, 'N')
          .trim()
          .slice(0, 200),
      ),
    ),
  ]
}

/** Those that the base does not have: failing tests that are excused do not excuse them. */
export function newOutsideFailures(after: readonly string[], before: readonly string[]): string[] {
  return after.filter((line) => !before.includes(line))
}

/** A run of some files alone always covers less than the project demands. */
export const isAboutCoverage = (line: string) => /\bcoverage\b/i.test(line)
