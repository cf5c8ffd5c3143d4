/** The environment of a project's commands: what tools need, without the user's secrets. */
import { delimiter, join } from 'node:path'
import { packageRoot } from '../../kernel/package-root.ts'
import { looksSecret } from '../../kernel/redaction/secret-spellings.ts'

/** `allowed` are the variables named in `build.env`; they pass unchanged, also where Convene would set them. */
export function commandEnvironment(env: NodeJS.ProcessEnv, allowed: readonly string[]): Record<string, string> {
  const chosen: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (allowed.includes(name) || isHarmless(name, value))) chosen[name] = value
  }
  const path = env.PATH && { PATH: `${userPath(env.PATH)}${delimiter}${packageManagers}` }
  const own = { ...plainOutput, ...noLeftovers, ...corepack, ...pnpm }
  const set = Object.fromEntries(Object.entries(own).filter(([name]) => !allowed.includes(name)))
  return { ...chosen, ...path, ...set }
}

/** Scripts call pnpm or yarn by name, also where only corepack or npx can start it. Last: what is installed comes first. */
const packageManagers = join(packageRoot, 'hooks/package-managers')

/**
 * Corepack would wait for somebody to confirm a download, and refuses registries that sign nothing, such as those of
 * companies. npm checks no signatures either.
 */
const corepack = { COREPACK_ENABLE_DOWNLOAD_PROMPT: '0', COREPACK_INTEGRITY_KEYS: '0' }

/** Since version 11, pnpm installs before it runs a script if anything seems to have changed: `build.setup` does that. */
const pnpm = { pnpm_config_verify_deps_before_run: 'false' }

/** A library for colours whose tests want them names these in `build.env`. */
const plainOutput = { CI: '1', NO_COLOR: '1', FORCE_COLOR: '0' }

/** What an agent would leave by merely running its tests. */
const noLeftovers = { PYTHONDONTWRITEBYTECODE: '1' }

const person = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TERM|TMPDIR|TZ|XDG_\w+)$/
const proxies = /^(?:https?|all|no|ftp)_proxy$/i
/** Networks with inspection need their own certificates. */
const certificates =
  /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|GIT_SSL_CAINFO|PIP_CERT|CARGO_HTTP_CAINFO)$/
const toolchains =
  /^(?:NVM_\w+|FNM_\w+|VOLTA_HOME|ASDF_\w+|MISE_\w+|PNPM_HOME|BUN_INSTALL|COREPACK_HOME|CARGO_HOME|RUSTUP_\w+|GOPATH|GOROOT|GOPROXY|GOTOOLCHAIN|JAVA_HOME|M2_HOME|MAVEN_HOME|GRADLE_HOME|SDKMAN_DIR|ANDROID_HOME|PYENV_\w+|RBENV_\w+|GEM_HOME|GHCUP_\w+|STACK_ROOT|CABAL_DIR|NIX_\w+|LD_LIBRARY_PATH|PLAYWRIGHT_BROWSERS_PATH)$/

function isHarmless(name: string, value: string): boolean {
  // A proxy's address may contain a password, but without it there is no network.
  if (proxies.test(name)) return true
  return [person, certificates, toolchains].some((names) => names.test(name)) && !looksSecret(name, value)
}

/** Removes what Convene's start scripts add to PATH: the project's commands use the user's Node. */
function userPath(path: string): string {
  const isOwn = (folder: string) =>
    folder.startsWith(`${packageRoot}/.runtime/`) || folder.startsWith(`${packageRoot}/node_modules/.bin`)
  return path
    .split(delimiter)
    .filter((folder) => !isOwn(folder))
    .join(delimiter)
}
