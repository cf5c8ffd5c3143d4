/** Counts the prompt tokens of the sample build and of a standard plan, by section, beside those of an earlier version. */
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { sampleEvents } from './sample-events.ts'

type Sections = Record<string, number>

/** Measured at c26fad4, with the same commands. */
const before: Record<'build' | 'plan', Sections> = {
  build: { frame: 585, commands: 60, task: 718, spec: 260, form: 545, again: 409, conversation: 1840, diff: 64 },
  plan: {
    frame: 10494,
    request: 484,
    facts: 1408,
    material: 6445,
    context: 1562,
    task: 1970,
    criteria: 740,
    form: 197,
    others: 487,
  },
}
const goals = { build: 0.7, plan: 0.6 }
const goal = 'Let people export their orders as CSV, with the columns they choose'

export const prompts: Bench = async (folder) => {
  const now = {
    build: measure(join(folder, 'build'), ['build', 'spec.yaml', '--strategy', 'graph']),
    plan: measure(
      join(folder, 'plan'),
      ['plan', goal, '--mode', 'standard', '--yes'],
      'build: { test: node --test }\n',
    ),
  }
  const names = ['build', 'plan'] as const
  return {
    goals: names.map((name) => ({
      measure: `prompt tokens of the sample ${name}, relative to c26fad4`,
      goal: `≤ ${100 * goals[name]} %`,
      found: percent(total(now[name]) / total(before[name])),
      met: total(now[name]) <= goals[name] * total(before[name]),
    })),
    settings: ['The build is `examples/first-build`; the plan is made by the built-in rehearsal in the same project.'],
    table: {
      columns: ['', 'section', 'before', 'now'],
      rows: names.flatMap((name) => [
        ...[...new Set([...Object.keys(before[name]), ...Object.keys(now[name])])].map((section) => [
          name,
          section,
          String(before[name][section] ?? 0),
          String(now[name][section] ?? 0),
        ]),
        [name, '**all**', String(total(before[name])), String(total(now[name]))],
      ]),
    },
    notes: ['Tokens are estimates from the text, summed over all asks of the command.'],
  }
}

function measure(folder: string, words: string[], config?: string): Sections {
  const sum: Sections = {}
  for (const { type, data } of sampleEvents<{ prompt?: Sections }>(folder, words, config)) {
    if (type !== 'ask.started') continue
    for (const [section, tokens] of Object.entries(data.prompt ?? {})) sum[section] = (sum[section] ?? 0) + tokens
  }
  return sum
}

const total = (sections: Sections) => Object.values(sections).reduce((sum, tokens) => sum + tokens, 0)
const percent = (ratio: number) => `${(100 * ratio).toFixed(1)} %`
