/** Tests that replace the code they have to check: they pass whatever the code does. SPEC.md § VF2. */

export interface TestText {
  path: string
  text: string
}

const replacing =
  /\b(?:vi|vitest|jest|mock|td|quibble)\s*\.\s*(?:mock|doMock|module|unstable_mockModule|replace|replaceEsm|esm)\s*\(\s*(['"`])([^'"`]+)\1/g
/** What follows a path that is mocked, where the factory takes the real code and replaces a part of it. */
const partly =
  /^\s*,\s*(?:(?:async\s*)?(?:\(\s*\w|\w+\s*=>)|\{\s*spy\s*:\s*true|[\s\S]{0,400}?(?:\.\.\.|\b(?:importActual|requireActual)\b))/

const script = /\.[cm]?[jt]sx?$/
const tests = /\b(?:test|it|describe|suite|assert|expect)\b\s*[.(]/

/** The test files that mock the target, if no file tests the real one. A fixture tests nothing. */
export function mockedTarget(files: readonly TestText[], target: string): string[] {
  const mocking = files.filter((file) => mocks(file, target))
  const isRealTest = (file: TestText) => script.test(file.path) && tests.test(file.text) && !mocking.includes(file)
  return files.some(isRealTest) ? [] : mocking.map(({ path }) => path)
}

function mocks({ path, text }: TestText, target: string): boolean {
  const code = text.replace(/^\s*\/\/.*$/gm, '')
  const whole = [...code.matchAll(replacing)].filter((found) => !partly.test(code.slice(found.index + found[0].length)))
  const replaced = whole.map(([, , module = '']) => module)
  return replaced.some((module) => {
    if (!module.startsWith('.')) return false
    return withoutEnding(besides(path, module)) === withoutEnding(target)
  })
}

/** The path that a relative import leads to. */
function besides(path: string, module: string): string {
  const folders = path.split('/').slice(0, -1)
  for (const part of module.split('/')) {
    if (part === '..') folders.pop()
    else if (part !== '.') folders.push(part)
  }
  return folders.join('/')
}

function withoutEnding(path: string): string {
  return path.replace(/(?:\/index)?\.[cm]?[jt]sx?$/, '')
}
