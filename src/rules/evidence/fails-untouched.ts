import { causeOf } from './refusal-line.ts'

/** What a person can do about a command that fails where no agent has changed anything; `key` is where it is configured. SPEC.md § AS3. */
export function failsUntouched(
  key: string,
  { command, exitCode, excerpt }: { command: string; exitCode: number; excerpt: string },
): string {
  const cause = causeOf(excerpt)
  const why = cause === undefined ? '' : `: ${cause.replace(/\.$/, '')}`
  return [
    `${key}: \`${command}\` fails on the untouched tree with exit code ${exitCode}${why}. This is not counted as an attempt. Fix it and commit, or change ${key} in convene.yaml`,
    ...(excerpt.trim() === '' ? [] : [excerpt]),
  ].join('\n')
}
