/** What a changed `tsconfig.json` means: work may need another target, but not weaker checks. SPEC.md § TR7. */

export type CompilerChange = { kind: 'needed'; lines: string[] } | { kind: 'loosened' }

const isFile = /(?:^|\/)[tj]sconfig(?:\.[\w.-]+)?\.json$/i

/** Options that say what the code is written for and how it is found, never how strictly it is checked. */
const needed = new Set(
  (
    'jsx jsxFactory jsxFragmentFactory jsxImportSource reactNamespace resolveJsonModule lib libReplacement target module moduleResolution ' +
    'moduleDetection esModuleInterop allowSyntheticDefaultImports allowImportingTsExtensions allowArbitraryExtensions ' +
    'rewriteRelativeImportExtensions resolvePackageJsonExports resolvePackageJsonImports customConditions paths baseUrl rootDir ' +
    'rootDirs types typeRoots allowJs experimentalDecorators emitDecoratorMetadata useDefineForClassFields downlevelIteration ' +
    'importHelpers isolatedModules verbatimModuleSyntax erasableSyntaxOnly outDir outFile declaration declarationDir declarationMap ' +
    'sourceMap composite incremental tsBuildInfoFile noEmit emitDeclarationOnly preserveSymlinks newLine'
  ).split(' '),
)

/** Options that make checks stricter when they are on. */
const strict =
  /^(?:strict\w*|no(?:Implicit|Unchecked|Unused|PropertyAccess|FallthroughCases|UncheckedSideEffect)\w*|alwaysStrict|exactOptionalPropertyTypes|useUnknownInCatchVariables|checkJs|isolatedDeclarations|forceConsistentCasingInFileNames)$/

export function isCompilerSetting(path: string): boolean {
  return isFile.test(path)
}

/** A file that cannot be read, or an option that is not known to be harmless, counts as loosened. */
export function compilerChange({
  before,
  after,
}: {
  before?: string | undefined
  after?: string | undefined
}): CompilerChange {
  const isNew = before === undefined
  const [was, is] = [isNew ? {} : settingsIn(before), after === undefined ? null : settingsIn(after)]
  if (!was || !is) return { kind: 'loosened' }
  const options = differences(recordAt(was, 'compilerOptions'), recordAt(is, 'compilerOptions'))
  const others = differences(was, is).filter(({ key }) => key !== 'compilerOptions' && key !== '$schema')
  const isHarmless =
    options.every(({ key, to }) => needed.has(key) || (strict.test(key) && to === true)) &&
    others.every((one) => isNew || widens(one))
  if (!isHarmless) return { kind: 'loosened' }
  const lines = [...options, ...others].map(({ key, to }) =>
    to === undefined ? `no ${key}` : `${key} ${JSON.stringify(to)}`,
  )
  return { kind: 'needed', lines }
}

/** More files are checked, or as many. */
function widens({ key, from, to }: Difference): boolean {
  const lists = [from, to].map((value) => (Array.isArray(value) ? value.map((one) => JSON.stringify(one)) : null))
  const [was, is] = lists
  if (key === 'exclude') return was !== null && (is ?? []).every((one) => was!.includes(one))
  if (key === 'references') return (was ?? []).every((one) => is?.includes(one) ?? false)
  return (key === 'include' || key === 'files') && was !== null && was!.every((one) => is?.includes(one) ?? false)
}

interface Difference {
  key: string
  from: unknown
  to: unknown
}

function differences(was: Record<string, unknown>, is: Record<string, unknown>): Difference[] {
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return keys
    .filter((key) => JSON.stringify(was[key]) !== JSON.stringify(is[key]))
    .map((key) => ({ key, from: was[key], to: is[key] }))
}

function recordAt(settings: Record<string, unknown>, key: string): Record<string, unknown> {
  const value = settings[key]
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** JSON with comments and trailing commas, as the compiler reads it. */
function settingsIn(text: string): Record<string, unknown> | null {
  const plain = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '$1')
    .replaceAll(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, '$1')
  try {
    const whole: unknown = JSON.parse(plain.trim() === '' ? '{}' : plain)
    return typeof whole === 'object' && whole !== null && !Array.isArray(whole)
      ? (whole as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
