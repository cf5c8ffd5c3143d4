/** How long a round in a room takes beyond its agents, on SQLite and on Postgres, in turns. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type App, createApp } from '../src/app.ts'
import { loadConfig } from '../src/kernel/config/load.ts'
import { interleave, median, millisecondsOf } from './measure.ts'

const rounds = 60
const warmUp = 10

/** Medians in milliseconds. */
export async function roomLatencies(folder: string, url: string): Promise<Record<'sqlite' | 'postgres', number>> {
  const measured: Record<'sqlite' | 'postgres', number[]> = { sqlite: [], postgres: [] }
  const names = ['sqlite', 'postgres'] as const
  const apps = {} as Record<(typeof names)[number], App>
  try {
    apps.sqlite = await open(join(folder, 'sqlite'), {})
    apps.postgres = await open(join(folder, 'postgres'), { CONVENE_DATABASE_URL: url })
    await interleave([...names], warmUp + rounds, async (name, round) => {
      const { rooms, engine } = apps[name]
      const { id } = await rooms.create({})
      const spent = await millisecondsOf(async () => {
        const { run } = await rooms.post(id, { text: 'Which queue should the orders go through?' })
        await engine.result(run)
      })
      if (round >= warmUp) measured[name].push(spent)
    })
  } finally {
    for (const app of Object.values(apps)) await app.close()
  }
  return { sqlite: median(measured.sqlite), postgres: median(measured.postgres) }
}

function open(folder: string, variables: Record<string, string>): Promise<App> {
  const script = [
    { when: { ask: 'micro-proposal' }, repeat: true, reply: { angle: 'all', confidence: 0.9, covers: ['all'] } },
    { when: { ask: 'answer' }, repeat: true, text: 'An answer of a few words.' },
  ]
  const agent = { provider: 'rehearsal', script: 'script.yaml' }
  const config = { agents: { gpt: agent, claude: agent }, room: { calls_per_minute: 100_000 }, project: 'rooms' }
  mkdirSync(folder)
  writeFileSync(join(folder, 'convene.yaml'), JSON.stringify(config))
  writeFileSync(join(folder, 'script.yaml'), JSON.stringify(script))
  const env = { ...variables, PATH: process.env.PATH, HOME: process.env.HOME }
  return createApp(loadConfig({ folder, env }), env)
}
