/** How set-up runs for a commit: only the base's own manifests are installed without precautions. SPEC.md § TR3. */
import type { DependencyChanges } from './dependency-changes.ts'

/**
 * `plain`: as configured. `careful`: without install scripts first, then with them if the project needs them.
 * `scriptless`: never with install scripts, because an agent changed some.
 */
export type SetupMode = 'plain' | 'careful' | 'scriptless'

/** `changes` are those of the manifests against the commit that the user had; null if there are none. */
export function setupMode(changes: DependencyChanges | null): SetupMode {
  if (changes === null) return 'plain'
  return changes.scripts.length > 0 ? 'scriptless' : 'careful'
}

/** Tells npm, pnpm, yarn and bun to run no scripts of packages. */
export const withoutInstallScripts = {
  npm_config_ignore_scripts: 'true',
  YARN_IGNORE_SCRIPTS: 'true',
  YARN_ENABLE_SCRIPTS: 'false',
  BUN_CONFIG_IGNORE_SCRIPTS: 'true',
} as const

/**
 * Whether the installed project works only after scripts ran: its own, or those of packages. `hasOtherLock`: there is a lock
 * file that does not tell which packages have scripts.
 */
export function needsInstallScripts(files: { manifest?: string; lock?: string; hasOtherLock: boolean }): boolean {
  const { manifest = '', lock = '', hasOtherLock } = files
  return (
    hasOtherLock ||
    /"(?:preinstall|install|postinstall|prepare)"\s*:/.test(manifest) ||
    /"hasInstallScript"\s*:\s*true/.test(lock)
  )
}
