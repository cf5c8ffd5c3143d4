/** Modules that bypass the language's safety or the sandbox, by language. SPEC.md § VF5. */
import type { Problem } from '../schema/problem.ts'
import { factsByFile, type SyntaxFacts } from './syntax-facts.ts'

export interface UnsafeImport {
  file: string
  module: string
}

/** Imports for a person to decide about: on the list, new in their file, and not in `build.allowed_imports`. */
export function importsInQuestion(
  after: readonly SyntaxFacts[],
  before: readonly SyntaxFacts[],
  allowed: readonly string[],
): UnsafeImport[] {
  const old = factsByFile(before)
  return after.flatMap((one) =>
    unsafeImports(one, old.get(one.file), allowed).map((module) => ({ file: one.file, module })),
  )
}

export function importQuestion(spec: string, found: readonly UnsafeImport[]): string {
  const list = found.map(({ file, module }) => `${module} in ${file}`).join(', ')
  return `${spec} imports what can run programs or get around the sandbox: ${list}. Allow it in this build? (build.allowed_imports in convene.yaml allows it without a question.)`
}

export function refusedImport({ file, module }: UnsafeImport): Problem {
  const message = `${module} is an unsafe import, and a person refused it: do without it`
  return { rule: 'VF5', message, path: file }
}

const javascript = [
  'child_process',
  'cluster',
  'inspector',
  'repl',
  'v8',
  'vm',
  'vm2',
  'worker_threads',
  'bun:ffi',
  'ffi-napi',
]

const unsafeModules = new Map<string, readonly string[]>([
  ['javascript', javascript],
  ['typescript', javascript],
  [
    'python',
    ['_ctypes', 'cffi', 'code', 'codeop', 'ctypes', 'dill', 'marshal', 'pickle', 'pty', 'shelve', 'subprocess'],
  ],
  ['go', ['C', 'os/exec', 'plugin', 'syscall', 'unsafe']],
  ['rust', ['libc', 'libloading', 'std::arch', 'std::mem::transmute', 'std::process::Command']],
  ['java', ['java.lang.ProcessBuilder', 'java.lang.Runtime', 'javax.script', 'jdk.internal', 'sun.misc.Unsafe']],
  ['ruby', ['fiddle', 'open3', 'pty']],
  ['haskell', ['Foreign', 'GHC.IO.Unsafe', 'System.IO.Unsafe', 'System.Process', 'Unsafe.Coerce']],
])

/** Unsafe imports that are new in the file. `allowed` are modules that the project permits. */
function unsafeImports(after: SyntaxFacts, before: SyntaxFacts | undefined, allowed: readonly string[]): string[] {
  const listed = unsafeModules.get(after.language ?? '') ?? []
  const had = new Set(before?.imports.map(({ module }) => plainModule(module)))
  const modules = [...new Set(after.imports.map(({ module }) => plainModule(module)))]
  const isAgreed = (module: string) => had.has(module) || allowed.some((one) => plainModule(one) === module)
  return modules.filter((module) => listed.some((one) => isPartOf(module, one)) && !isAgreed(module))
}

function plainModule(module: string): string {
  return module.replace(/^node:/, '')
}

/** Ways to run text as code that are new in the file. */
export function unsafeEvaluation(after: SyntaxFacts, before: SyntaxFacts | undefined): string[] {
  return (after.evaluates ?? []).filter((way) => !before?.evaluates?.includes(way))
}

/** `Foreign` includes `Foreign.Ptr`; `os/exec` does not include `os/executor`. */
function isPartOf(module: string, listed: string): boolean {
  return module === listed || (module.startsWith(listed) && /^(\.|\/|::)/.test(module.slice(listed.length)))
}
