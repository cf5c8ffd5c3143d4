/** Faults of the configuration, which only a person can fix. They are no attempts: the run waits for the person. SPEC.md § AS3. */

/** The code of a run that is parked by such a fault. */
export const configurationFault = 'configuration_fault'

/** How a provider refused a request. */
export interface ProviderRefusal {
  status: number
  /** What the provider said: message, type and body. */
  words: string
}

/** No valid key, no permission, no such model or endpoint, no credit left. */
export function isConfigurationFault({ status, words }: ProviderRefusal): boolean {
  if (status === 401 || status === 402 || status === 403 || status === 404) return true
  return (status >= 400 && status < 500 && unknownModel.test(words)) || isOutOfCredit(words)
}

/** OpenAI sends 429 both for "too fast" and for "no credit left"; only the first is worth a retry. */
export function isOutOfCredit(words: string): boolean {
  return /insufficient_quota|credit balance is too low|billing_hard_limit/i.test(words)
}

const unknownModel =
  /model_not_found|(?:unknown|invalid|unsupported|no such) model|model\b[^.\n]{0,80}\b(?:not found|does not exist|is not (?:supported|available|a valid))/i

/** What a person can do about a command whose program cannot be started; `key` is where the command is configured. */
export function cannotStart(key: string, command: string, exitCode: number, output: string): string | null {
  const missing = missingCommand(exitCode, output)
  if (missing === null) return null
  const what = missing.found ? `could not run ${missing.program}` : `could not find ${missing.program}`
  const repair = missing.found ? `make ${missing.program} executable` : `install ${missing.program}`
  return `${key}: ${command} ${what}; ${repair}, or change ${key} in convene.yaml`
}

/** The program that a shell could not find or run, if a command ended for that reason. */
function missingCommand(exitCode: number, output: string): { program: string; found: boolean } | null {
  if (exitCode === 126) {
    const said = /(?:^|\n)[^\n]*?[‘'"`]?([\w./@+-]+)[’'"`]?: (?:Permission denied|cannot execute)/i.exec(output)
    return { program: said?.[1] ?? 'its program', found: true }
  }
  if (exitCode !== 127) return null
  const said =
    /(?:^|\n)[^\n]*?(?:env: )?[‘'"`]?([\w./@+-]+)[’'"`]?: (?:command )?not found/i.exec(output) ??
    /env: [‘'"`]?([\w./@+-]+)[’'"`]?: No such file/i.exec(output)
  return { program: said?.[1] ?? 'its program', found: false }
}
