/** How runners say that they found no tests. SPEC.md § VF9. */

/** The line of an output that says so, as vitest, jest, ava, mocha, node:test, pytest and unittest write it. */
export function nothingRanLine(output: string): string | undefined {
  return output
    .replace(colours, '')
    .split(/\r?\n/)
    .find((line) => saysSo.test(line))
    ?.trim()
}

const saysSo =
  /^\W*(?:error: )?no test(?:s| files?) (?:were )?(?:found|ran)\b|couldn['’]t find any files to test|\bcollected 0 items\b|^(?:ℹ|#) tests 0$|^\s*0 passing\b/i

const colours = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g')
