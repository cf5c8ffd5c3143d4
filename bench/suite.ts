/** Counts how often an accepted leaf runs the whole test suite of its project. A result that is kept counts as no run. */
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { sampleEvents } from './sample-events.ts'

interface Evidence {
  command?: string
  purpose?: string
  kind?: string
  reused?: boolean
  exit_code?: number
}

const goal = 2
/** Measured before results were kept by tree and command. */
const before = 5
const suite = 'node --test'

export const suiteRuns: Bench = async (folder) => {
  const events = sampleEvents<Evidence>(join(folder, 'leaf'), ['build', 'spec.yaml', '--strategy', 'graph', '--merge'])
  // The first claim of the sample is wrong on purpose: what it cost to refuse it is not what accepting costs.
  const refused = events.findLastIndex(({ type, data: { kind } }) => type === 'reply.refused' && kind === 'implement')
  const claimed = events.findIndex(({ type, data: { purpose } }) => type === 'evidence.recorded' && purpose === 'claim')
  const accepted = [...events.slice(0, claimed), ...events.slice(Math.max(claimed, refused))]
  const evidence = accepted.filter(({ type }) => type === 'evidence.recorded').map(({ data }) => data)
  const whole = evidence.filter(({ reused, command }) => !reused && command === suite)
  return {
    goals: [
      {
        measure: 'full runs of the test suite for an accepted leaf, merged',
        goal: `≤ ${goal}`,
        found: `${whole.length} (was ${before})`,
        met: whole.length > 0 && whole.length <= goal,
      },
    ],
    settings: [
      'The leaf is `examples/first-build`, by the graph, merged into the user’s branch; its refused first claim is left out.',
    ],
    table: {
      columns: ['for', 'command', 'exit code', 'run'],
      rows: evidence.map(({ purpose = '', command = '', exit_code = 0, reused }) => [
        purpose,
        `\`${command}\``,
        String(exit_code),
        reused ? 'kept result' : 'yes',
      ]),
    },
    notes: ['Runs of single files, for red tests and mutations, are not full runs.'],
  }
}
