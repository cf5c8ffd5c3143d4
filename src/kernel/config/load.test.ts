import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultGraphLimits } from '../../rules/build/graph.ts'
import { defaultSilenceSeconds } from '../../rules/build/silence.ts'
import { defaultTreeLimits } from '../../rules/build/tree.ts'
import { defaultLockLimits, defaultRetryLimits } from '../../rules/issues/issue-retry.ts'
import { defaultLabelPrefix } from '../../rules/issues/labels.ts'
import { defaultBreakerLimits } from '../../rules/plan/breaker.ts'
import { modes } from '../../rules/plan/mode.ts'
import { defaultReviewLimits } from '../../rules/plan/review.ts'
import { defaultSpecifyLimits } from '../../rules/plan/specify.ts'
import { strategyTable } from '../../rules/plan/strategy-table.ts'
import { defaultInboxLimits } from '../../rules/room/agent-inbox.ts'
import { defaultCallCaps } from '../../rules/room/call-caps.ts'
import { rule as dispatchRule } from '../../rules/room/dispatch.ts'
import { defaultDispatchLimits, mostResponders } from '../../rules/room/dispatch-limits.ts'
import { defaultWaitLimits } from '../../rules/room/synthesis-wait.ts'
import { defaultAutopilotLimits } from '../../rules/turns/autopilot.ts'
import { defaultWindowLimits } from '../../rules/turns/transcript-window.ts'
import { defaultMaxRounds, mostRounds, rule as turnRule } from '../../rules/turns/turn.ts'
import { defaultRetryPolicy } from '../ask/retry.ts'
import { ConveneError } from '../errors.ts'
import { configJsonSchema, type SchemaNode } from './json-schema.ts'
import { ConfigError, parseConfig, retryPolicyOf, secretVariables } from './load.ts'

const read = (text: string | undefined, env: Record<string, string> = {}) =>
  parseConfig(text, { folder: '/project', env })

function faultOf(text: string, env: Record<string, string> = {}): ConveneError {
  try {
    read(text, env)
  } catch (error) {
    if (error instanceof ConveneError) return error
    throw error
  }
  throw new Error(`was accepted: ${text}`)
}

describe('defaults', () => {
  const config = read(undefined)

  it('gives a complete configuration without a file', () => {
    expect(config.agents).toEqual({})
    expect(config.room.dispatch).toEqual({
      rule: 'measured',
      gap: 0.3,
      overlap: 0.5,
      high: 0.5,
      low: 0.3,
      synthesis: 0.7,
      max_responders: 3,
    })
    expect(config.room.proposal_seconds).toBe(8)
    expect(config.room.synthesis).toEqual({ silence_seconds: 15, total_seconds: 120 })
    expect(config.room.turns).toEqual({ max_rounds: 6, window_items: 8, window_tokens: 3000 })
    expect(config.room.autopilot).toEqual({ turns: 200, tokens: 200_000, minutes: 20, notice_every: 25 })
    expect(config.build).toMatchObject({ share: [], sandbox: 'auto', max_depth: 3, max_children: 8 })
    expect(config.build.caps).toEqual({ attempts: 5, reviews: 3, scaffolds: 3, merges: 3, rebases: 5 })
    expect(config.build.limits).toEqual({
      files: 500,
      bytes: 5_000_000,
      memory_mb: 4096,
      processes: 512,
      file_mb: 1024,
    })
    expect(config.budget).toEqual({ calls: 1000, tokens: null, usd: null, minutes: null, depth: 8 })
  })

  it('has the five coordination keys', () => {
    expect(config.coordination).toEqual({
      auto_sync_from_git: true,
      github_sync_enabled: true,
      llm_coordinator_enabled: false,
      generate_summaries: true,
      event_logging_enabled: true,
    })
  })

  it('has the planning keys', () => {
    const { plan } = config
    expect(Object.keys(plan)).toEqual(
      expect.arrayContaining([
        'feature_flags',
        'mpa',
        'specify_gate',
        'expert_review',
        'circuit_breaker',
        'state',
        'orchestrator',
      ]),
    )
    expect(plan.feature_flags.s9_multi_strategy).toEqual({
      enabled: true,
      modes: ['advanced', 'complete'],
      requires: ['s7_mpa_deliberation', 's8_convergence_detection'],
    })
    expect(plan.feature_flags.s11_parallel_dispatch.enabled).toBe(false)
    expect(plan.specify_gate).toMatchObject({ threshold: 8, max_iterations: 3, low_score_threshold: 6 })
    expect(plan.expert_review).toMatchObject({ confidence_threshold: 80, max_review_iterations: 2 })
    expect(plan.circuit_breaker).toEqual({
      defaults: { max_consecutive_failures: 2, reset_on_success: true },
      overrides: { specify_gate: { max_consecutive_failures: 3 }, parallel_dispatch: { max_consecutive_failures: 1 } },
    })
    expect(plan.mpa.strategy_per_phase.phase_7).toEqual({
      rapid: 'quick',
      standard: 'quick',
      advanced: 'perspectives',
      complete: 'red_team',
    })
    expect(plan.mpa.convergence_detection).toMatchObject({
      threshold_high: 0.7,
      threshold_low: 0.4,
      agreement_weight: 0.6,
    })
    expect(plan.orchestrator.parallel_dispatch.pairs).toHaveLength(1)
  })

  it('refuses a planning setting that could have no effect', () => {
    const path = (text: string) => faultOf(`plan: ${text}`).path
    expect(path('{mpa: {strategies: {red_team: {rounds: 5}}}}')).toBe('plan.mpa.strategies.red_team.rounds')
    expect(path('{mpa: {strategies: {quick: {cross_review: true}}}}')).toBe('plan.mpa.strategies.quick.cross_review')
    expect(path('{specify_gate: {dimensions: [value]}}')).toBe('plan.specify_gate.dimensions')
    expect(path('{orchestrator: {parallel_dispatch: {pairs: [{phases: ["5", "6b"]}]}}}')).toContain('pairs.0.phases')
    expect(path('{state: {context_protocol: {context_pack: {mandatory_sections: [current_task]}}}}')).toBe(
      'plan.state.context_protocol.context_pack.mandatory_sections',
    )
    expect(path('{expert_review: {tri_state: {pass: {max_critical: 1}}}}')).toBe(
      'plan.expert_review.tri_state.pass.max_critical',
    )
  })

  it('uses the same defaults as the rules', () => {
    const { room, plan, build, ship, retry, forge } = read('forge: {github: {repo: a/b}}')
    expect(room.dispatch).toEqual(defaultDispatchLimits)
    expect(room.calls_per_minute).toBe(defaultCallCaps.calls_per_minute)
    expect(room.turns.max_rounds).toBe(defaultMaxRounds)
    expect({ items: room.turns.window_items, tokens: room.turns.window_tokens }).toEqual(defaultWindowLimits)
    expect(room.autopilot).toEqual(defaultAutopilotLimits)
    expect({ in_flight: room.messages.in_flight, queued: room.messages.queued }).toEqual(defaultInboxLimits)
    expect(room.synthesis.silence_seconds * 1000).toBe(defaultWaitLimits.silence_ms)
    expect(room.synthesis.total_seconds * 1000).toBe(defaultWaitLimits.total_ms)
    expect(plan.specify_gate).toMatchObject(defaultSpecifyLimits)
    const { confidence_threshold, max_review_iterations, tri_state } = plan.expert_review
    expect({
      confidence_threshold,
      max_review_iterations,
      pass_max_critical: tri_state.pass.max_critical,
      pass_max_major: tri_state.pass.max_major,
      risk_max_critical: tri_state.pass_with_risk.max_critical,
    }).toEqual(defaultReviewLimits)
    expect(plan.circuit_breaker.defaults.max_consecutive_failures).toBe(defaultBreakerLimits.max_consecutive_failures)
    for (const [phase, byMode] of strategyTable) {
      const own = plan.mpa.strategy_per_phase[`phase_${phase}` as 'phase_4']
      for (const mode of modes) expect([phase, mode, own[mode] ?? own.default]).toEqual([phase, mode, byMode[mode]])
    }
    expect(build.caps).toEqual(defaultGraphLimits)
    expect({ depth: build.max_depth, children: build.max_children }).toEqual(defaultTreeLimits)
    expect(build.silence_seconds).toBe(defaultSilenceSeconds)
    expect({ retries: ship.retries, stale_minutes: ship.stale_minutes }).toEqual({
      ...defaultRetryLimits,
      ...defaultLockLimits,
    })
    expect(forge.github?.label_prefix).toBe(defaultLabelPrefix)
    expect(
      retryPolicyOf(read(undefined), { provider: 'openai-compatible', model: 'm', base_url: 'http://localhost/v1' }),
    ).toEqual(defaultRetryPolicy)
    expect(retry.retries).toBe(defaultCallCaps.retries)
  })

  it('accepts the same numbers as the rules that read them', () => {
    const accepts = (section: string) => {
      try {
        read(section)
        return true
      } catch {
        return false
      }
    }
    const session = { participants: ['ada'], round: 1 }
    for (const max of [0, 1, mostResponders, mostResponders + 1]) {
      const byRule = dispatchRule.input.safeParse({
        proposals: {},
        agents: ['ada'],
        limits: { max_responders: max },
      }).success
      expect([max, accepts(`room: {dispatch: {max_responders: ${max}}}`)]).toEqual([max, byRule])
    }
    for (const max of [0, 1, mostRounds, mostRounds + 1]) {
      const input = { session: { ...session, max_rounds: max }, speaker: 'ada', reply: '' }
      expect([max, accepts(`room: {turns: {max_rounds: ${max}}}`)]).toEqual([
        max,
        turnRule.input.safeParse(input).success,
      ])
    }
  })

  it('keeps the other defaults of a section in which one key is set', () => {
    expect(read('room: {dispatch: {gap: 0.2}}').room.dispatch).toMatchObject({ gap: 0.2, overlap: 0.5 })
    const { team_presets } = read(
      'plan: {mpa: {team_presets: {mine: {phase_4_agents: [a], phase_7_agents: [], phase_6b_agents: []}}}}',
    ).plan.mpa
    expect(Object.keys(team_presets)).toEqual(expect.arrayContaining(['balanced', 'rapid_prototype', 'mine']))
  })

  it('treats an empty value as absent, and a file of comments as no file', () => {
    expect(read('room:\nagents:\nbudget:\n  calls:\n')).toEqual(config)
    expect(read('# nothing here yet\n')).toEqual(config)
  })
})

describe('what it accepts', () => {
  it('reads agents of every provider', () => {
    const { agents } = read(`
      agents:
        claude: { provider: anthropic }
        gpt: { provider: openai, model: gpt-x, base_url: http://127.0.0.1:9/v1, api_key_env: MY_KEY, price: { input: 1, output: 2 } }
        local: { provider: openai-compatible, model: llama, base_url: http://localhost:11434/v1 }
        Actor.1: { provider: rehearsal, script: lines.yaml }
    `)
    expect(agents.claude).toMatchObject({
      provider: 'anthropic',
      api_key_env: 'ANTHROPIC_API_KEY',
      model: expect.any(String),
    })
    expect(agents.gpt).toMatchObject({ model: 'gpt-x', api_key_env: 'MY_KEY', price: { input: 1, output: 2 } })
    expect(agents.local).toMatchObject({ base_url: 'http://localhost:11434/v1' })
    expect(agents['Actor.1']).toMatchObject({ script: '/project/lines.yaml' })
  })

  it('resolves paths from the folder of the file, and ~ from the home folder', () => {
    expect(read('build: {worktrees: ../trees}').build.worktrees).toBe('/trees')
    expect(read('build: {worktrees: ~/trees}', { HOME: '/home/me' }).build.worktrees).toBe('/home/me/trees')
    expect(read('build: {worktrees: /x}').build.worktrees).toBe('/x')
  })

  it('accepts none for no limit, and fractions of a minute', () => {
    expect(read('budget: {calls: none, minutes: 0.5, usd: 0}').budget).toMatchObject({
      calls: null,
      minutes: 0.5,
      usd: 0,
    })
  })

  it('accepts true and false for a flag, keeping its modes', () => {
    expect(read('plan: {feature_flags: {s9_multi_strategy: false}}').plan.feature_flags.s9_multi_strategy).toEqual({
      enabled: false,
      modes: ['advanced', 'complete'],
      requires: ['s7_mpa_deliberation', 's8_convergence_detection'],
    })
  })

  it('accepts anchors and merged maps', () => {
    const { agents } = read(
      'agents:\n  a: &base {provider: openai, model: m}\n  b: {<<: *base, model: n}\n  c: *base\n',
    )
    expect(agents.b).toMatchObject({ provider: 'openai', model: 'n' })
    expect(agents.c).toEqual(agents.a)
  })

  it('names the variables that hold secrets', () => {
    const config = read(
      'agents: {a: {provider: openai}, b: {provider: anthropic, api_key_env: OTHER}}\nforge: {github: {repo: a/b}}',
    )
    expect(secretVariables(config)).toEqual(['OPENAI_API_KEY', 'OTHER', 'GITHUB_TOKEN', 'GITHUB_WEBHOOK_SECRET'])
  })

  it('retries failed calls, but those of a rehearsal agent only if configured', () => {
    const { agents, ...config } = read(
      'agents: {a: {provider: openai}, b: {provider: rehearsal, script: s}, c: {provider: rehearsal, script: s, retries: 1}}',
    )
    expect(Object.values(agents).map((agent) => retryPolicyOf({ agents, ...config }, agent).retries)).toEqual([2, 0, 1])
  })
})

describe('what it refuses', () => {
  it.each([
    ['a: 1\n\nagnets: {}', "unknown key 'agnets' at convene.yaml:3; did you mean 'agents'?"],
    [
      'agents:\n  gpt:\n    provider: openai\n    modle: x',
      "unknown key 'modle' in agents.gpt at convene.yaml:4; did you mean 'model'?",
    ],
    [
      'agents:\n  gpt: {provider: openai, script: x}',
      "unknown key 'script' in agents.gpt at convene.yaml:2; it is for agents of provider rehearsal",
    ],
    ['agnets:', "unknown key 'agnets' at convene.yaml:1; did you mean 'agents'?"],
    ['agents:\n  gpt:\n', 'agents.gpt at convene.yaml:2 must be a map with keys such as provider'],
    ['sandbox: off', "unknown key 'sandbox' at convene.yaml:1; it belongs at build.sandbox"],
    ['zebra: 1', "unknown key 'zebra' at convene.yaml:1; known keys: agents, roles"],
    ['plan: {feature_flags: {s9_multi_strategy: {enabeld: true}}}', "did you mean 'enabled'?"],
    [
      'agents:\n  a: &x {provider: openai}\n  b:\n    <<: *x\n    modl: 3',
      "unknown key 'modl' in agents.b at convene.yaml:5",
    ],
    [
      'room:\n  dispatch:\n    gap: wide',
      'room.dispatch.gap at convene.yaml:3 must be a number from 0 to 1, not "wide"',
    ],
    ['room: {dispatch: {gap: 3}}', 'must be a number from 0 to 1, not 3'],
    ['room: {turns: {max_rounds: 2.5}}', 'must be a whole number from 1 to 50, not 2.5'],
    ['budget: {calls: "5"}', 'remove the quotes'],
    ['budget: {calls: -1}', 'must be a whole number of at least 0, or none, not -1'],
    ['budget: {minutes: .nan}', 'budget.minutes at convene.yaml:1 must be a number of at least 0, or none, not NaN'],
    ['coordination: {generate_summaries: yes}', 'must be true or false, not "yes"; write true'],
    ['agents: {a: {provider: openai, model: 4}}', 'put it in quotes: "4"'],
    ['agents: {a: {provider: antropic}}', "did you mean 'anthropic'?"],
    ['agents:\n  a: {model: x}', 'agents.a.provider is missing at convene.yaml:2'],
    ['agents: {a: {provider: acp}}', 'agents.a.agent is missing at convene.yaml:1'],
    ['agents: {a: {provider: acp, agent: claude}}', "did you mean 'claude-code'?"],
    ['agents: {a: {provider: acp, agent: codex, permissions: all}}', 'must be one of worktree, ask, deny'],
    ['agents: {a: {provider: acp, command: []}}', 'agents.a.command at convene.yaml:1 must be'],
    ['agents: {a: {provider: openai-compatible, model: x}}', 'agents.a.base_url is missing'],
    ['agents: {a: {provider: rehearsal}}', 'agents.a.script is missing'],
    ['agents: {a: {provider: openai, base_url: "localhost:80"}}', 'write http://localhost:80'],
    ['agents: {router: {provider: openai}}', "the name 'router' at convene.yaml:1 must be another name"],
    ['agents: {"a b": {provider: openai}}', "the name 'a b' at convene.yaml:1 must be made of letters"],
    ['agents: [gpt]', 'agents at convene.yaml:1 must be a map, not a list'],
    ['room: 5', 'room at convene.yaml:1 must be a map'],
    ['roles: {reviewers: gpt}', 'write it as a list: ["gpt"]'],
    [
      'roles:\n  impl: gtp\nagents: {gpt: {provider: openai}}',
      "roles.impl at convene.yaml:2 names the agent 'gtp', which is not under agents; did you mean 'gpt'?",
    ],
    [
      'roles:\n  reviewers:\n    - gpt\n    - zz\nagents: {gpt: {provider: openai}}',
      "roles.reviewers.1 at convene.yaml:4 names the agent 'zz'",
    ],
    ['roles: {impl: constructor}', "names the agent 'constructor', which is not under agents"],
    ['build: {share: [../secrets]}', 'build.share.0 at convene.yaml:1 must be a path inside the project'],
    ['build: {share: [/etc]}', 'must be a path inside the project'],
    ['forge: {github: {repo: "https://github.com/acme/shop.git"}}', 'write acme/shop'],
    ['engine: {schema: "Not fit"}', 'engine.schema at convene.yaml:1 must be lower-case letters'],
    ['engine: {url: ""}', 'engine.url at convene.yaml:1'],
    [
      'plan: {mpa: {convergence_detection: {threshold_low: 0.9}}}',
      'threshold_low at convene.yaml:1 must be at most threshold_high',
    ],
    ['retry: {first_wait_ms: 90000}', 'must be at most longest_wait_ms'],
  ])('%j', (text, words) => {
    const fault = faultOf(text)
    expect(fault.message).toContain(words)
    expect(fault).toMatchObject({ code: 'invalid_config', exitCode: 2 })
    expect(fault.path).toBeTruthy()
  })

  it.each([
    ['room:\n\tturns: 1', 'cannot read convene.yaml:2:1: a tab is used for indentation'],
    ['room: {}\nroom: {}', "cannot read convene.yaml:2:1: the key 'room' is given a second time"],
    ['room: {turns: {', 'a bracket that was opened above is not closed'],
    ['agents:\n  a: "open', 'look for a quote or bracket that is not closed'],
    ['agents:\n    a: 1\n  b: 2', 'cannot read convene.yaml:3:1: the indentation does not fit'],
    ['room: *lost', "convene.yaml:1:7: '*lost' refers to '&lost', which is not defined above it"],
    ['room: !secret x', 'an unknown tag'],
    ['room: {}\n---\nship: {}', 'cannot read convene.yaml:2:1: a second document begins here'],
    ['__proto__: {agents: {}}', "'__proto__' cannot be a key"],
    ['? [a]\n: b', 'a key must be a word'],
    [': b', "a key is missing before ':'"],
    ['- a', "must hold keys such as 'agents:', not a list"],
    ['hello', 'not a single value'],
    ['', 'convene.yaml is empty'],
    [' \n\n', 'convene.yaml is empty'],
  ])('as YAML: %j', (text, words) => {
    const fault = faultOf(text)
    expect(fault.message).toContain(words)
    expect(fault).toMatchObject({ code: 'invalid_config', exitCode: 2 })
  })

  it('brackets without end', () => {
    for (const depth of [500, 2000])
      expect(faultOf(`a: ${'['.repeat(depth)}${']'.repeat(depth)}`).message).toContain('nested too deeply')
  })

  it('a map that refers to itself without end', () => {
    const bomb = Array.from(
      { length: 9 },
      (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`,
    ).join('\n')
    expect(faultOf(`l0: &l0 x\n${bomb}`).message).toMatch(/alias/i)
  })

  it('reports every problem, not only the first', () => {
    const fault = faultOf('agnets: {}\nbudget: {calls: many}\nroom:\n  dispatch: {gap: 7}\n')
    expect(fault).toBeInstanceOf(ConfigError)
    expect((fault as ConfigError).problems).toHaveLength(3)
    expect(fault.message).toMatch(/^3 problems in convene.yaml:/)
    expect(fault.message).toContain('agnets')
    expect(fault.message).toContain('budget.calls')
    expect(fault.message).toContain('room.dispatch.gap')
  })
})

describe('secrets in the file', () => {
  const secrets = [
    `sk-proj-${'a1B2'.repeat(8)}`,
    `ghp_${'a1b2'.repeat(9)}`,
    `AIza${'aB3'.repeat(12)}`,
    `x9${'Zq4'.repeat(8)}`,
  ]

  it.each(secrets)('reports a secret where a name belongs, without repeating it: %#', (secret) => {
    const fault = faultOf(`agents:\n  a:\n    provider: openai\n    api_key_env: ${secret}\n`)
    expect(fault.message).toContain('agents.a.api_key_env at convene.yaml:4 holds what looks like a secret itself')
    expect(JSON.stringify(fault.body())).not.toContain(secret.slice(0, 12))
  })

  it.each([
    (secret: string) => `agents: {a: {provider: openai, api_key: ${secret}}}`,
    (secret: string) => `agents: {a: {provider: ${secret}}}`,
    (secret: string) => `agents: {${secret}: {provider: openai, x: 1}}`,
    (secret: string) => `${secret}: 1`,
    (secret: string) => `budget: {calls: ${secret}}`,
    (secret: string) => `forge: {github: {repo: a/b, token_env: ${secret}}}`,
    (secret: string) => `build: {env: [${secret}]}`,
    (secret: string) => `roles: {impl: ${secret}}`,
    (secret: string) => `a: "${secret}`,
    (secret: string) => `a: 1\n${secret}: 1\n${secret}: 1`,
  ])('never repeats one in a message: %#', (file) => {
    for (const secret of secrets.slice(0, 2)) expect(JSON.stringify(faultOf(file(secret)).body())).not.toContain(secret)
  })

  it('accepts ordinary variable names, long ones too', () => {
    const config = read('agents: {a: {provider: openai, api_key_env: MY_VERY_LONG_TEAM_OPENAI_API_KEY_2}}')
    expect(config.agents.a).toMatchObject({ api_key_env: 'MY_VERY_LONG_TEAM_OPENAI_API_KEY_2' })
  })
})

describe('the environment', () => {
  it('overrides the file key by key', () => {
    const env = { CONVENE_BUDGET__CALLS: '7', CONVENE_ROOM__DISPATCH__GAP: '0.1', CONVENE_BUILD__SANDBOX: 'off' }
    const config = read('budget: {calls: 5, usd: 3}', env)
    expect(config.budget).toMatchObject({ calls: 7, usd: 3 })
    expect(config.room.dispatch).toMatchObject({ gap: 0.1, overlap: 0.5 })
    expect(config.build.sandbox).toBe('off')
  })

  it('works without a file, and accepts lists, text that looks like YAML, and agent names with dashes', () => {
    expect(read(undefined, { CONVENE_BUILD__SHARE: '[.env, data]' }).build.share).toEqual(['.env', 'data'])
    expect(read(undefined, { CONVENE_BUILD__TEST: 'make test: all' }).build.test).toBe('make test: all')
    const config = read('agents: {My-Agent: {provider: openai}}', { CONVENE_AGENTS__MY_AGENT__MODEL: '4.5' })
    expect(config.agents['My-Agent']).toMatchObject({ model: '4.5' })
  })

  it.each([
    [
      { CONVENE_BUDGET__CALS: '5' },
      "unknown environment variable CONVENE_BUDGET__CALS; did you mean 'CONVENE_BUDGET__CALLS'?",
    ],
    [{ CONVENE_BUDGET_CALLS: '5' }, 'did you mean CONVENE_BUDGET__CALLS'],
    [
      { CONVENE_BUDGET__CALLS: 'five' },
      'budget.calls in the environment variable CONVENE_BUDGET__CALLS must be a whole number',
    ],
    [{ CONVENE_BUDGET__CALLS__X: '5' }, 'the environment variable CONVENE_BUDGET__CALLS__X'],
    [{ CONVENE_ROLES__IMPL: 'nobody' }, 'roles.impl in the environment variable CONVENE_ROLES__IMPL names the agent'],
  ])('names the invalid variable: %j', (env, words) => {
    const fault = faultOf('budget: {usd: 1}', env)
    expect(fault.message).toContain(words)
    expect(fault.message).toContain(Object.keys(env)[0])
    expect(fault.exitCode).toBe(2)
  })

  it('leaves other variables alone, empty ones too', () => {
    const env = { CONVENE_TOKEN: 'x', CONVENE_NODE: '/n', CONVENE_SOMETHING: '1', CONVENE_BUDGET__CALLS: ' ' }
    expect(read(undefined, env).budget.calls).toBe(1000)
  })

  it('cannot reach beyond its own keys', () => {
    expect(() => read(undefined, { CONVENE___PROTO____POLLUTED: '1', CONVENE_CONSTRUCTOR__X: '1' })).toThrow(
      ConveneError,
    )
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('takes the database from CONVENE_DATABASE_URL before any other place', () => {
    const file = 'engine: {url: "postgres://file/b"}'
    expect(read(file).engine).toEqual({ url: 'postgres://file/b', schema: 'convene' })
    const env = { CONVENE_ENGINE__URL: 'postgres://key/b' }
    expect(read(file, env).engine.url).toBe('postgres://key/b')
    expect(read(file, { ...env, CONVENE_DATABASE_URL: 'postgres://own/b' }).engine.url).toBe('postgres://own/b')
    expect(read(undefined, { CONVENE_DATABASE_URL: 'postgres://own/b' }).engine.url).toBe('postgres://own/b')
  })

  it("never reads DATABASE_URL: it is the user's own", () => {
    expect(read(undefined, { DATABASE_URL: 'postgres://a/b' })).toEqual(read(undefined))
  })

  it("finds Google's key under any of its names", () => {
    const file = 'agents: {g: {provider: google}}'
    expect(read(file, { GEMINI_API_KEY: 'x' }).agents.g).toMatchObject({ api_key_env: 'GEMINI_API_KEY' })
    expect(read(file).agents.g).toMatchObject({ api_key_env: 'GOOGLE_GENERATIVE_AI_API_KEY' })
  })
})

describe('any text', () => {
  const anyText = fc.array(fc.nat(0xffff), { maxLength: 30 }).map((units) => String.fromCharCode(...units))

  it('is a configuration or a ConveneError, never another failure', () => {
    const line = fc.constantFrom(
      'agents:',
      '  a:',
      '    provider: openai',
      'room: {',
      '}',
      '- x',
      '\t',
      '&a',
      '*a',
      '? ',
      ': ',
      '<<: *a',
      '"',
      '|',
      '>',
      '%YAML',
      '---',
      '!!int x',
      'budget: {calls: 1}',
      '  - [',
      '#',
      'roles: {impl: a}',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(line).map((lines) => lines.join('\n')),
          anyText,
        ),
        (text) => {
          try {
            read(text)
          } catch (error) {
            expect(error).toBeInstanceOf(ConveneError)
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  it('with any value at any top-level key, too', () => {
    const sections = Object.keys(configJsonSchema().properties ?? {})
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...sections, 'constructor', 'x'), fc.jsonValue()), (value) => {
        try {
          read(JSON.stringify(value))
        } catch (error) {
          expect(error).toBeInstanceOf(ConveneError)
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe('the JSON Schema', () => {
  it('describes every key in one line', () => {
    const undescribed: string[] = []
    const walk = (node: SchemaNode, path: string) => {
      for (const [key, child] of Object.entries(node.properties ?? {})) {
        const description = child.description ?? ''
        if (!/^\S.{2,118}$/.test(description)) undescribed.push(`${path}.${key}: ${description}`)
        walk(child, `${path}.${key}`)
      }
      for (const child of [...(node.anyOf ?? []), ...(node.oneOf ?? [])]) walk(child, path)
      if (typeof node.additionalProperties === 'object') walk(node.additionalProperties, `${path}.*`)
      if (node.items) walk(node.items, `${path}[]`)
    }
    walk(configJsonSchema(), '')
    expect(undescribed).toEqual([])
  })

  it('allows no unknown keys at the top', () => {
    expect(configJsonSchema()).toMatchObject({ type: 'object', additionalProperties: false })
  })
})
