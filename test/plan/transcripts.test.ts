/** Plans as they were with real models: their recorded replies are played again, and the same answers lead to the same issues. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { RecordedLine } from '../../scripts/spool-to-script.ts'
import { startPlan } from './project.ts'

interface RecordedPlan {
  goal: string
  mode: string
  agents: string[]
  /** What the person said, by a part of the question. */
  answers: Record<string, string>
  issues: number
  /** The issues that carry an answer of the person, by its id. */
  carried: Record<string, number[]>
  /** Words of the documents that an answer overruled. */
  struck: string[]
}

const folder = join(import.meta.dirname, '..', 'transcripts')
const plans = readdirSync(folder).filter((name) => readdirSync(join(folder, name)).includes('plan.yaml'))
const textOf = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8')

describe('a recorded plan', () => {
  it.each(plans)('[PH1] [RV5] %s: the same agents are asked, and each question of the person once', async (name) => {
    const recordedPlan = parse(textOf(name, 'plan.yaml')) as RecordedPlan
    const { goal, mode, agents, answers, issues, carried, struck } = recordedPlan
    const script = textOf(name, 'script.yaml')
    const plan = await startPlan({
      goal,
      mode,
      config: {
        agents: Object.fromEntries(agents.map((agent) => [agent, { provider: 'rehearsal', script: 'script.yaml' }])),
        roles: {},
      },
      files: { 'script.yaml': script },
    })
    const report = await plan.answering(answers)
    expect(report).toMatchObject({ status: 'done', issues, degraded: false, contradictions: [] })
    const asked = (await plan.events('question.asked')).map(({ data }) => data.text as string)
    expect(Object.keys(answers).filter((part) => asked.filter((text) => text.includes(part)).length !== 1)).toEqual([])
    // Every recorded reply was used, and nobody was asked for anything else.
    const recorded = (parse(script) as RecordedLine[]).map(({ when }) => when.agent)
    expect(plan.asked.map(({ agent }) => agent).toSorted()).toEqual(recorded.toSorted())
    const built = JSON.parse(plan.files.read('issues.json')).issues as { number: number; decisions: string[] }[]
    const carriedBy = (id: string) => built.flatMap(({ number, decisions }) => (decisions.includes(id) ? [number] : []))
    expect(Object.fromEntries(Object.keys(carried).map((id) => [id, carriedBy(id)]))).toEqual(carried)
    for (const words of struck) expect(plan.files.read('plan.md')).toContain(`~~${words}~~ (decided since: `)
    for (const said of Object.values(answers)) expect(plan.files.read('plan.md')).toContain(said.slice(0, 40))
    expect(plan.files.read('plan.md')).toMatch(
      /^# Plan\n\n## Request[\s\S]*## Decisions[\s\S]*## Issues in order[\s\S]*## Interfaces[\s\S]*## Tests/,
    )
  })
})
