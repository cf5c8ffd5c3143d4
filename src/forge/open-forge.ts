/** The forge that the configuration names, or why there is none. The only place that reads the token. */
import type { Forge } from './forge.ts'

export interface ForgeConfiguration {
  github?: { repo: string; api_url?: string; token_env: string }
}

export type OpenedForge = { forge: Forge; repo: string } | { forge: null; reason: string | null }

/** [GH4] `reason` is null if no forge is configured; otherwise show it once. */
export async function openForge(
  { github }: ForgeConfiguration,
  env: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): Promise<OpenedForge> {
  if (!github) return { forge: null, reason: null }
  const { repo, api_url: apiUrl, token_env: tokenName } = github
  const token = env[tokenName]?.trim()
  if (!token) {
    const reason = `GitHub is off: ${tokenName} is not set, so labels and comments in ${repo} stay as they are`
    return { forge: null, reason }
  }
  // Loaded when it is used: most commands never talk to a forge.
  const { createGitHubForge } = await import('./github.ts')
  return { forge: createGitHubForge({ repo, apiUrl, token, tokenName, signal }), repo }
}
