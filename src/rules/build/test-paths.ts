/** Recognises test files by their paths, as the common runners find them. SPEC.md § VF2, VF3. */

/** Test files and everything in folders of tests. Agents may not change existing ones to make their work pass. */
export function looksLikeTest(path: string): boolean {
  return /(^|\/)(tests?|test-d|__tests__|spec)\//.test(path) || isTestFileName(path) || /(^|\/)conftest\.py$/.test(path)
}

/** By its own name, also a test of types (`index.test-d.ts`). */
export function isTestFileName(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return /[._-](test|spec)(-d)?\.[^.]+$/.test(name) || /^test_.*\.py$/.test(name) || isWholeSuite(path)
}

/** `test.js` beside the manifest of a small package holds all of its tests; deeper it may be anything, such as a route. */
function isWholeSuite(path: string): boolean {
  return /^(packages\/(@[^/]+\/)?[^/]+\/)?(tests?|spec)\.[cm]?[jt]sx?$/.test(path)
}

/** A test of types: a type checker reads it, and most runners name nothing in it. */
export function isTypeTest(path: string): boolean {
  return /(?:[._-](?:test|spec)-d\.[cm]?tsx?$)|(?:(?:^|\/)test-d\/.*\.[cm]?tsx?$)/.test(path)
}
