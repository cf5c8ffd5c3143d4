/**
 * TR1: programs that git would start for files with an attribute: filters, and drivers of merges. An agent chooses attributes
 * by a `.gitattributes`, and such a program may be a script of the repository, so Convene's own git calls run none of them.
 */

const settingOf = /^(filter|merge)\.(.+)\.(?:clean|smudge|process|required|driver)$/s

const forbidden = new Map<string, string>()

/** The settings that name such programs, for `git config --get-regexp`. */
export const programSettings = '^(filter\\..*\\.(clean|smudge|process|required)|merge\\..*\\.driver)$'

/** Git's own merge of texts, in place of a configured driver. */
const plainMerge = 'git merge-file --quiet --marker-size=%L %A %O %B'

/** From now on no git call of this process starts these. `names` are settings as `git config --name-only -z` lists them. */
export function forbidPrograms(names: readonly string[]): void {
  for (const name of names) {
    const [, kind, driver] = settingOf.exec(name) ?? []
    if (kind === undefined || driver === undefined) continue
    if (kind === 'merge') forbidden.set(`merge.${driver}.driver`, plainMerge)
    else {
      for (const key of ['clean', 'smudge', 'process']) forbidden.set(`filter.${driver}.${key}`, '')
      forbidden.set(`filter.${driver}.required`, 'false')
    }
  }
}

/** Variables that override the settings; `env` may have such variables of its own. */
export function withoutPrograms(env: Record<string, string | undefined>): Record<string, string> {
  const first = Number.parseInt(env.GIT_CONFIG_COUNT ?? '0', 10) || 0
  if (forbidden.size === 0) return {}
  const entries = [...forbidden].flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ])
  return { ...Object.fromEntries(entries), GIT_CONFIG_COUNT: String(first + forbidden.size) }
}
