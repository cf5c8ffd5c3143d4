/** Finds a run by the beginning of its id, as git finds a commit. */
import { ConveneError } from '../../kernel/errors.ts'
import type { ApiClient } from '../../serve/call.ts'

/** Shorter beginnings are refused: they would soon mean another run. */
const shortest = 3

/** The id of the one run that it begins; else what was given, which the server then refuses. */
export function runNamed(named: string, runs: readonly { id: string }[]): string {
  if (named.length < shortest || runs.some(({ id }) => id === named)) return named
  const found = runs.map(({ id }) => id).filter((id) => id.startsWith(named))
  // A run's id begins those of the runs below it.
  const tops = found.filter((id) => !found.some((other) => other !== id && id.startsWith(`${other}/`)))
  if (tops.length > 1)
    throw new ConveneError(
      'ambiguous_run',
      `${tops.length} runs begin with '${named}': ${tops.slice(0, 3).join(', ')}${tops.length > 3 ? ' …' : ''}. Give more of the id; \`convene runs\` lists them.`,
      { status: 409, path: 'run', expected: 'the id of one run, or enough of its beginning' },
    )
  return tops[0] ?? named
}

/** Lists the runs, which may be many, only for an id that is not whole. */
export async function findRun(client: Pick<ApiClient, 'call'>, named: string): Promise<string> {
  if (await isRun(client, named)) return named
  const { runs } = await client.call('GET /api/runs')
  return runNamed(named, runs)
}

async function isRun(client: Pick<ApiClient, 'call'>, id: string): Promise<boolean> {
  try {
    await client.call('GET /api/runs/:run', { params: { run: id } })
    return true
  } catch (error) {
    if (error instanceof ConveneError && error.code === 'unknown_run') return false
    throw error
  }
}
