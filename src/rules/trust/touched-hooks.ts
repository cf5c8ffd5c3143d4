/** TR1: whether work changes what the user's git hooks are or run, so that they must not run on it. */
import { codeRunByHooks, type HookTexts } from './hook-commands.ts'

export interface HookSituation extends Partial<HookTexts> {
  /** Paths that the work changes, from the top of the repository. */
  changed: readonly string[]
  /** The folder of the effective hooks, if it is in the repository. */
  hooksFolder?: string
  /** Files of the repository that hooks are links to. */
  linked: readonly string[]
  /** Each changed `package.json`, before and after. */
  manifests: readonly { path: string; before?: string; after?: string }[]
}

/** Files and folders that decide what hooks do, at any depth: those of hook managers, and of tools that run in hooks. */
const settings = [
  /(?:^|\/)\.husky(?:\/|$)/,
  /(?:^|\/)\.huskyrc(?:\.[\w.]+)?$/,
  /(?:^|\/)husky\.config\.\w+$/,
  /(?:^|\/)\.?lefthook(?:-local)?(?:\.\w+)?(?:\/|$)/,
  /(?:^|\/)\.pre-commit-(?:config|hooks)\.ya?ml$/,
  /(?:^|\/)\.lintstagedrc(?:\.\w+)?$/,
  /(?:^|\/)lint-staged\.config\.\w+$/,
  /(?:^|\/)\.?simple-git-hooks\.\w+$/,
  /(?:^|\/)\.commitlintrc(?:\.\w+)?$/,
  /(?:^|\/)commitlint\.config\.\w+$/,
  /(?:^|\/)\.overcommit\.yml$/,
  /(?:^|\/)\.?git-?hooks(?:\/|$)/,
]

/** Keys of `package.json` by which hook tools are set up. */
const manifestKeys = [
  'husky',
  'lint-staged',
  'simple-git-hooks',
  'pre-commit',
  'pre-push',
  'gitHooks',
  'commitlint',
  'lefthook',
]

/** The changed paths for whose sake hooks must not run; none means that they are as they were before the work. */
export function touchedHooks(situation: HookSituation): string[] {
  const { changed, hooksFolder, linked, manifests, texts = [], scripts = {} } = situation
  // Git ignores the case of names on some systems, and so may the file system.
  const folder = hooksFolder?.toLowerCase()
  // Husky keeps its hooks in `.husky/_`, which call the files beside that folder.
  const folders = folder === undefined ? [] : [folder, folder.replace(/\/_$/, '')]
  const run = codeRunByHooks({ texts, scripts })
  const links = [...linked, ...run.files].map((path) => path.toLowerCase())
  const isTouched = (path: string) => {
    const name = path.toLowerCase()
    return (
      (run.whole && !isProse(name)) ||
      settings.some((setting) => setting.test(name)) ||
      folders.some((one) => one === '' || name === one || name.startsWith(`${one}/`)) ||
      links.some((link) => link === name || link.startsWith(`${name}/`))
    )
  }
  const changedManifests = manifests.filter(({ before, after }) => hookKeys(before) !== hookKeys(after))
  return [...new Set([...changed.filter(isTouched), ...changedManifests.map(({ path }) => path)])]
}

/** Nothing runs it. */
function isProse(path: string): boolean {
  return /\.(?:md|markdown|txt|rst|adoc)$|(?:^|\/)(?:licen[cs]e|authors|changelog)$/.test(path)
}

/** The tools that hooks call, with the names of their own settings. */
const tools: [RegExp, RegExp, string[]][] = [
  [/\blint-staged\b/, /(?:^|\/)(?:\.lintstagedrc(?:\.\w+)?|lint-staged\.config\.\w+)$/, ['lint-staged']],
  [/\blefthook\b/, /(?:^|\/)\.?lefthook(?:-local)?\.\w+$/, ['lefthook']],
  [/\bpre-commit\b/, /(?:^|\/)\.pre-commit-config\.ya?ml$/, ['pre-commit']],
  [/\bhusky\b/, /(?:^|\/)\.huskyrc(?:\.[\w.]+)?$/, ['husky']],
]

/** Whether a file is a setting of a tool that one of the hooks calls. */
export function isSettingOf(hooks: readonly string[], path: string): boolean {
  return tools.some(([called, file]) => file.test(path) && hooks.some((text) => called.test(text)))
}

/** What the tools that hooks call are told in a manifest. */
export function toolParts(hooks: readonly string[], manifest: string): string[] {
  const keys = tools.flatMap(([called, , keys]) => (hooks.some((text) => called.test(text)) ? keys : []))
  try {
    const whole = JSON.parse(manifest) as Record<string, unknown>
    return keys.flatMap((key) => (whole[key] === undefined ? [] : [JSON.stringify(whole[key])]))
  } catch {
    return []
  }
}

function hookKeys(text: string | undefined): string {
  if (text === undefined) return '[]'
  try {
    const manifest = JSON.parse(text) as Record<string, unknown> | null
    const kept = manifestKeys.flatMap((key) => (manifest?.[key] === undefined ? [] : [[key, manifest[key]]]))
    return JSON.stringify(kept)
  } catch {
    // A tool may read what this cannot, such as comments.
    return text
  }
}
