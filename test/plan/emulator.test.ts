/**
 * Prompts as four providers receive them, through the emulator: what they contain, and how much of it caches can
 * reuse.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadProvider, modelProviders } from '../../src/agents/models/providers.ts'
import { countTokens } from '../../src/kernel/ask/count-tokens.ts'
import { Emulator, models } from '../agents/emulator.ts'
import { serve } from '../support/server.ts'
import { agreeable, planFolder, ServedPlan } from './project.ts'

const emulator = new Emulator()
const goal = 'Let people export their orders as CSV, with the columns they choose, and mail the file to them'

interface Call {
  model: string
  system: string
  prompt: string
}

/** Whether a model has called a tool that nobody had offered. */
let unoffered = false
/** In order of arrival. */
const calls: Call[] = []

beforeAll(async () => {
  await emulator.start()
  await Promise.all([import('ai'), ...modelProviders.map(loadProvider)])
  emulator.mock.on({ predicate: () => true }, ({ model, messages, tools = [] }) => {
    const [system, ...rest] = messages.map(({ content }) => textOf(content))
    const prompt = rest.join('\n\n')
    calls.push({ model, system: system!, prompt })
    const reply = replyTo(prompt, calls.length)
    const isFirst = tools.length === 0 && !unoffered
    unoffered ||= isFirst
    return isFirst ? { toolCalls: [{ name: 'submit', arguments: reply }] } : { content: reply }
  })
})
afterAll(() => emulator.stop())

describe('prompts of a plan', () => {
  it('[CX1] [CX4] [ST5] with four providers on the panel: four sections, the verbatim request, the others’ drafts, one prefix per phase', {
    timeout: 300_000,
  }, async () => {
    const plan = await planWithModels()
    expect(await plan.settled()).toMatchObject({ status: 'done', degraded: false })
    expect(new Set(calls.map(({ model }) => model))).toEqual(new Set(Object.values(models)))
    // [AS1] One of them called a tool that nobody had offered.
    const finished = (await plan.events()).filter(({ type }) => type === 'ask.finished')
    expect(finished.filter(({ data }) => data.called_tool).map(({ data }) => data)).toMatchObject([
      { called_tool: 'submit', loose: true, tries: 1 },
    ])

    for (const { system, prompt } of calls) {
      const sections = [
        ...`${system}\n\n${prompt}`.matchAll(
          /^## (Original request|Accumulated context|Current task|Acceptance criteria)$/gm,
        ),
      ]
      expect(sections.map(([, title]) => title)).toEqual([
        'Original request',
        'Accumulated context',
        'Current task',
        'Acceptance criteria',
      ])
      expect(system).toContain(`## Original request\n${goal}\n`)
    }

    const phases = await phasesOf(plan)
    for (const phase of ['4', '7']) {
      const first = phases.get(phase)!.filter(({ prompt }) => prompt.includes('through your own lens'))
      const second = phases.get(phase)!.filter(({ prompt }) => prompt.includes('What you wrote before'))
      expect([phase, first.length, second.length]).toEqual([phase, 3, 3])
      for (const { prompt, model } of second) {
        const own = roleOf(prompt)
        expect(prompt).toContain(phase === '4' ? 'take over what you had missed' : 'as a senior reviewer')
        for (const other of first.map((call) => roleOf(call.prompt)).filter((role) => role !== own)) {
          expect(prompt).toContain(`### ${other}\n`)
          expect(prompt).toContain(`The view of ${other}.`)
        }
        expect(prompt).toContain(`### What you wrote before\nThe view of ${own}.`)
        expect(prompt).not.toContain(`### ${own}\n`)
        // The same agent keeps its role.
        expect(model).toBe(first.find((call) => roleOf(call.prompt) === own)!.model)
      }
      expect(new Set(first.map(({ model }) => model)).size).toBe(3)
    }

    const shares: Record<string, string> = {}
    let shared = 0
    let all = 0
    let earlier = ''
    for (const [phase, everything] of phases) {
      // Which findings mean the same is asked with the request and the findings alone.
      const asked = everything.filter(({ prompt }) => !prompt.includes('Several reviewers found this'))
      // Byte for byte the same for every call of the phase.
      expect([phase, new Set(asked.map(({ system }) => system)).size]).toEqual([phase, 1])
      const whole = asked.map(({ system, prompt }) => countTokens(system) + countTokens(prompt))
      const total = whole.reduce((sum, tokens) => sum + tokens, 0)
      // A phase with one call shares its common part with the phase before it.
      const prefix = asked.length > 1 ? asked[0]!.system : common(earlier, asked[0]!.system)
      const kept = countTokens(prefix) * asked.length
      shares[phase] = `${Math.round((kept / total) * 100)} %`
      earlier = asked[0]!.system
      if (!['4', '5', '6', '6b', '7', '8', '8b'].includes(phase)) continue
      shared += kept
      all += total
    }
    expect(shared / all, JSON.stringify(shares)).toBeGreaterThanOrEqual(0.8)
  })
})

async function planWithModels(): Promise<ServedPlan> {
  const agents = modelProviders.map((provider) => {
    const base_url = `${emulator.mock.url}${provider === 'google' ? '/v1beta' : '/v1'}`
    return [
      provider,
      {
        provider,
        model: models[provider],
        base_url,
        ...(provider === 'openai-compatible' ? { api_key_env: 'COMPATIBLE_API_KEY' } : {}),
      },
    ]
  })
  const folder = planFolder({
    config: {
      agents: Object.fromEntries(agents),
      roles: { coordinator: 'anthropic', panel: [...modelProviders] },
      plan: { mpa: { deliberation: { variant: 'full' } } },
    },
    files: realistic(),
  })
  const names = [
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'GOOGLE_GENERATIVE_AI_API_KEY',
    'GEMINI_API_KEY',
    'GOOGLE_API_KEY',
    'COMPATIBLE_API_KEY',
  ]
  const served = await serve({}, { folder, env: Object.fromEntries(names.map((name) => [name, 'sk-test-0123456789'])) })
  const { body } = await served.call('POST', '/api/plans', { goal, mode: 'advanced' })
  const { id, plan } = body as { id: string; plan: string }
  return new ServedPlan(served, id, plan, [])
}

/** The phase of each call, from the log: asks are in the order of the calls. */
async function phasesOf(plan: ServedPlan): Promise<Map<string, Call[]>> {
  const phases = new Map<string, Call[]>()
  let phase = ''
  const waiting = [...calls]
  for (const { type, data } of await plan.events()) {
    if (type === 'phase.started') phase = data.phase as string
    if (type !== 'ask.started') continue
    phases.set(phase, [...(phases.get(phase) ?? []), waiting.shift()!])
  }
  expect(waiting).toEqual([])
  return phases
}

/** A project with long instructions of its own, and agents that write a page or two. */
function realistic(): Record<string, string> {
  const rules = Array.from(
    { length: 60 },
    (_, index) =>
      `- Rule ${index + 1}: modules of layer ${index % 7} may read layer ${(index + 1) % 7} only through its port; say in the header what a module is not.`,
  )
  const code = Array.from({ length: 40 }, (_, index) => [
    `src/orders/part-${index}.ts`,
    `export const part${index} = ${index}\n`,
  ])
  return {
    'AGENTS.md': `# How we work\n\n${rules.join('\n')}\n`,
    'README.md': `# Shop\n\n${'Orders come in over HTTP, are kept in Postgres and leave as mail. '.repeat(40)}\n`,
    'package.json': JSON.stringify({
      name: 'shop',
      dependencies: { hono: '4', pg: '8', nodemailer: '6' },
      devDependencies: { vitest: '5' },
    }),
    ...Object.fromEntries(code),
  }
}

const paragraph =
  'Orders are read in pages of a thousand by a stream that keeps one page in memory; the writer turns each into a line, escapes what needs it and hands it on. '

function replyTo(prompt: string, number: number): string {
  const [, form] = /Reply in this form: (.*)\.$/m.exec(prompt)!
  const line = agreeable.find(({ when }) => when.contains?.includes(form!))
  switch (form) {
    case 'a view of your own':
      return JSON.stringify({
        output: `The view of ${roleOf(prompt)}. I agree with the stream. ${paragraph.repeat(4)}`,
        positions: [{ question: 'How rows are read', choice: 'as a stream' }],
      })
    case 'a synthesis':
      return JSON.stringify({
        artefact: `## Approach\n\n${paragraph.repeat(40)}\n\n\`\`\`mermaid\ngraph LR\n  read --> write\n\`\`\``,
        summary: `Stream it (${number}). ${paragraph.repeat(2)}`,
        key_decisions: [{ decision: `Rows are streamed, never held (${number})`, confidence: 'HIGH' }],
        risks_identified: [
          { risk: 'Mail servers refuse large files', severity: 'MEDIUM', mitigation: 'a link above 5 MB' },
        ],
        files_affected: ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts'],
      })
    case 'scores':
      return JSON.stringify(agreeable[0]!.reply)
    case 'issues':
      return JSON.stringify(agreeable[1]!.reply)
    case 'findings of a review':
      return JSON.stringify({ findings: [{ severity: 'MAJOR', confidence: 88, title: 'No limit', detail: paragraph }] })
    case 'groups of findings':
      return JSON.stringify({ same: [] })
    case 'an amendment':
      return JSON.stringify({
        points: [...prompt.matchAll(/^- (a\d+) /gm)].map(([, id]) => ({ id, settled: true, how: 'a limit' })),
        documents: [
          {
            file: 'design.md',
            summary: 'Stream it, with a limit.',
            sections: [{ heading: 'Limits', text: paragraph }],
          },
        ],
      })
    default:
      return JSON.stringify(line!.reply)
  }
}

function roleOf(prompt: string): string {
  return /^You are ([a-z-]+):/m.exec(prompt)?.[1] ?? 'coordinator'
}

function common(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return b.slice(0, length)
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map((each) => (each as { text?: string }).text ?? '').join('\n') : ''
}
