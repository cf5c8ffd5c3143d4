/** Shows which command runs: with a spinner in a terminal, elsewhere as a line each. */
import { createSpinner, type Output } from './output.ts'

/** Nothing is left of it once the work is done. */
export async function withProgress<Result>(
  output: Output,
  work: (announce: (line: string) => void) => Promise<Result>,
): Promise<Result> {
  const spinner = createSpinner()
  const isLive = process.stderr.isTTY && !output.json
  try {
    return await work((line) => (isLive ? spinner.spin(line) : output.note(line)))
  } finally {
    spinner.spin(null)
  }
}
