/** TR1: whether a hook runs code of the project, such as its tests: then it would run what an agent wrote. */
import { checkers } from '../build/verification.ts'

export interface HookTexts {
  /** The hooks that a merge starts, and the settings of the tools that they call. */
  texts: readonly string[]
  /** The scripts of `package.json`, as they were before the work. */
  scripts: Readonly<Record<string, string>>
}

/** `whole`: any code of the project may run; `files`: those that hooks start by their paths. */
export function codeRunByHooks({ texts, scripts }: HookTexts): { whole: boolean; files: string[] } {
  const files: string[] = []
  const whole = texts.map((text) => runsProject(text, scripts, files, 0))
  return { whole: whole.includes(true), files: [...new Set(files)] }
}

const deepest = 5
const between = /&&|\|\|?|;|\n|,\s*(?=["'])|\$\(|`|(?:^|\s)(?:then|else|do)\s/
/** Keys and signs in front of a command in a settings file, the shell's words, variables, and what starts another program. */
const lead =
  /^(?:[\s"'[\](){}!-]+|[\w*.{},/-]+["']?\s*:\s+|(?:if|exec|env|time|command|sudo)\s+|\w+=\S*\s+|(?:npx|bunx|pipx\s+run|poetry\s+run|uv\s+run|hatch\s+run|bundle\s+exec|(?:pnpm|yarn|npm)\s+(?:exec|dlx))\s+(?:-\S+\s+)*)/

function runsProject(text: string, scripts: HookTexts['scripts'], files: string[], depth: number): boolean {
  const commands = text.split('\n').map((line) => line.replace(/(?:^|\s)#.*$/, ''))
  const parts = commands.join('\n').split(between).map(withoutLead)
  return parts.map((part) => runs(part, scripts, files, depth)).includes(true)
}

function withoutLead(part: string): string {
  const rest = part.replace(lead, '')
  return rest === part ? part.trim() : withoutLead(rest)
}

const managers = /^(?:npm|pnpm|yarn|bun)$/
/** Commands of package managers that run no script of the project by name. */
const managing =
  /^(?:add|audit|ci|config|dedupe|i|info|install|link|ls|list|outdated|pack|prune|remove|set|up|update|version|why)$/
const testing =
  /^(?:vitest|jest|_?mocha|ava|tap|tape|uvu|jasmine|playwright|cypress|karma|wtr|pytest|py\.test|tox|nox|phpunit|rspec|rake|ctest|mvnw?|gradlew?|just|task|turbo|nx|lerna|bazel|g?make|ninja)$/
const testingBy =
  /^(?:go\s+(?:test|run|generate)|cargo\s+(?:\S+\s+)?(?:test|t|run|r|bench|build|b|check|clippy|nextest)|deno\s+(?:test|run|task)|bun\s+test|dotnet\s+(?:test|run)|mix\s+test|(?:cabal|stack)\s+(?:test|run)|swift\s+(?:test|run)|python[\d.]*\s+-m\s+(?:pytest|unittest|tox|nox)|(?:node|tsx)\b.*\s--test\b)/
/** Programs of dependencies that look at messages and files, and run no code of the project. */
const hookTools =
  /^(?:commitlint|lint-staged|nano-staged|pretty-quick|husky|lefthook|simple-git-hooks|pre-commit|commitizen|git-cz|cz|gitlint|secretlint|gitleaks|sort-package-json|is-ci)$/
const interpreters = /^(?:node|tsx|ts-node|deno|python[\d.]*|ruby|perl|php|sh|bash|zsh|dash|source|\.)$/

function runs(part: string, scripts: HookTexts['scripts'], files: string[], depth: number): boolean {
  const words = part.split(/\s+/).map((word) => word.replace(/^["']|["'\],]+$/g, ''))
  const [program = '', ...rest] = words
  const name = program.slice(program.lastIndexOf('/') + 1)
  const plain = words.join(' ')
  if (testing.test(name) || testingBy.test(plain)) return true
  if (/^(?:ba|z|da)?sh$/.test(name) && rest[0] === '-c')
    return depth < deepest && runsProject(rest.slice(1).join(' '), scripts, files, depth + 1)
  const given = rest.filter((word) => !word.startsWith('-'))
  if (managers.test(name)) return runsScript(given, scripts, files, depth)
  const module = /^python/.test(name) ? rest[rest.indexOf('-m') + 1] : undefined
  if (module !== undefined && rest.includes('-m')) files.push(...moduleFiles(module))
  else if (interpreters.test(name) && given[0]) files.push(inProject(given[0]))
  else if (/^(?:\.\/|[\w.-]+\/)/.test(program) && !/^(?:\.\/)?node_modules\//.test(program))
    files.push(inProject(program))
  return false
}

function runsScript(given: string[], scripts: HookTexts['scripts'], files: string[], depth: number): boolean {
  const isRun = /^(?:run|run-script)$/.test(given[0] ?? '')
  if (given[0] === undefined || (!isRun && managing.test(given[0]))) return false
  const named = (isRun ? given[1] : given[0]) ?? ''
  const script = /^(?:t|tst)$/.test(named) ? 'test' : named
  const texts = [`pre${script}`, script, `post${script}`].flatMap((one) => scripts[one] ?? [])
  // A script of a workspace's package, or a program of a dependency.
  if (texts.length === 0 && hookTools.test(script)) return false
  if (texts.length === 0 || depth >= deepest) return !new RegExp(checkers).test(` ${given.join(' ')}`)
  return texts.map((text) => runsProject(text, scripts, files, depth + 1)).includes(true)
}

/** What Python runs for a module, with the packages that it loads on the way. */
function moduleFiles(module: string): string[] {
  const parts = module.split('.')
  const packages = parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/__init__.py`)
  const path = parts.join('/')
  const files = [`${path}.py`, `${path}/__main__.py`, ...packages]
  return [...files, ...files.map((file) => `src/${file}`)]
}

function inProject(path: string): string {
  return path.replace(/^(?:"?\$\(git rev-parse --show-toplevel\)"?\/|\.\/)+/, '')
}
