/** Prints a line only if it differs from the one printed last: a command that runs six times in a row is one line. */
export function withoutRepeats(print: (line: string) => void): (line: string) => void {
  let last: string | undefined
  return (line) => {
    if (line !== last) print(line)
    last = line
  }
}
