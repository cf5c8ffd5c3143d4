/** Shows which command runs: in a terminal with a spinner and for how long, elsewhere as a line each. Nothing with `--json`. */
import { durationText } from './duration-text.ts'
import { createSpinner, type Output } from './output.ts'

/** Nothing is left of it once the work is done. */
export async function withProgress<Result>(
  output: Output,
  work: (announce: (line: string) => void) => Promise<Result>,
): Promise<Result> {
  const spinner = createSpinner()
  const announce = (line: string) => {
    const started = Date.now()
    // In front: the end of a long line is cut.
    if (process.stderr.isTTY) spinner.spin(() => `${durationText(Date.now() - started)} ${line}`)
    else output.note(line)
  }
  try {
    return await work(output.json ? () => {} : announce)
  } finally {
    spinner.spin(null)
  }
}
