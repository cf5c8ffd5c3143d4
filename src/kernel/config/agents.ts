/** `agents` and `roles`: which agents there are, and which agent does what. */
import { z } from 'zod'
import { permissionPolicies } from '../../rules/agents/permission.ts'
import { shellCommand, variableName, webAddress, wholeNumber, words } from './values.ts'

/** Providers with a public API: their default model, a cheap and quick one, and the environment variables that usually hold their key. */
export const hostedProviders = {
  anthropic: { model: 'claude-sonnet-5-5', quick: 'claude-haiku-5-5', keys: ['ANTHROPIC_API_KEY'] },
  openai: { model: 'gpt-6.1-terra', quick: 'gpt-6-luna', keys: ['OPENAI_API_KEY'] },
  google: {
    model: 'gemini-pro-latest',
    quick: 'gemini-flash-lite-latest',
    keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
  },
} as const

/** Names that a transcript uses for other senders and targets. */
export const reservedNames = ['you', 'router', 'all'] as const

const price = z.strictObject({
  input: z.number().min(0).describe('US dollars per million input tokens.'),
  output: z.number().min(0).describe('US dollars per million output tokens.'),
  cached_input: z.number().min(0).optional().describe('US dollars per million cached input tokens; defaults to input.'),
})

const common = {
  price: price
    .optional()
    .describe('What the agent costs. Without it the cost is shown as unknown; tokens still count.'),
  retries: wholeNumber
    .min(0)
    .max(10)
    .optional()
    .describe('Retries of a failed call; defaults to retry.retries, for rehearsal to 0.'),
  helper: z
    .boolean()
    .optional()
    .describe('Serve only the roles that name it: new rooms leave it out, and no other role falls to it.'),
}

const hosted = <Provider extends keyof typeof hostedProviders>(provider: Provider) =>
  z.strictObject({
    provider: z.literal(provider).describe('The provider whose API Convene calls.'),
    model: words.default(hostedProviders[provider].model).describe("The model's id at the provider."),
    base_url: webAddress.optional().describe('Another address of the same API, including its version path (…/v1).'),
    api_key_env: variableName
      .default(hostedProviders[provider].keys[0])
      .describe('The environment variable that holds the key (its name, never the key).'),
    ...common,
  })

const compatible = z.strictObject({
  provider: z
    .literal('openai-compatible')
    .describe('Any server with the chat completions API: Ollama, vLLM, LM Studio and others.'),
  model: words.describe("The model's id on that server."),
  base_url: webAddress.describe("The server's address, including its version path (…/v1)."),
  api_key_env: variableName
    .optional()
    .describe('The environment variable that holds the key, if the server needs one.'),
  ...common,
})

const rehearsal = z.strictObject({
  provider: z
    .literal('rehearsal')
    .describe('Plays a script instead of asking a model; labelled as rehearsal everywhere.'),
  script: words.describe('The YAML file with the script, relative to convene.yaml.'),
  model: words.optional().describe('The model name to show.'),
  ...common,
})

const remote = z.strictObject({
  provider: z.literal('a2a').describe('An agent elsewhere that speaks the Agent2Agent protocol.'),
  url: webAddress.describe("The agent's endpoint; its card is at /.well-known/agent-card.json of the same origin."),
  model: words.optional().describe('The model name to show.'),
  api_key_env: variableName
    .optional()
    .describe('The environment variable that holds the bearer token, if the agent needs one.'),
  ...common,
})
/** Coding agents that Convene knows how to start. */
export const codingAgents = ['claude-code', 'codex', 'gemini-cli', 'opencode'] as const

const coding = z
  .strictObject({
    provider: z
      .literal('acp')
      .describe('A coding agent on this machine, spoken to over the agent client protocol (ACP) on stdio.'),
    agent: z.enum(codingAgents).optional().describe('The coding agent; Convene knows how to start it.'),
    command: z
      .union([shellCommand, z.array(words).min(1)], { error: 'a command, or a list of its words' })
      .optional()
      .describe('Any program that speaks ACP on stdio; with agent, it replaces that agent’s own program.'),
    headless: z
      .boolean()
      .optional()
      .describe('Use the agent’s own headless mode (claude -p, codex exec …) for every ask, not ACP.'),
    model: words.optional().describe('The model that the agent uses; defaults to its own setting.'),
    permissions: z
      .enum(permissionPolicies)
      .default('worktree')
      .describe(
        'What it may do in a build: worktree (edits and commands there), ask (a person) or deny; elsewhere it only reads.',
      ),
    env: z
      .record(variableName, z.string())
      .optional()
      .describe('Variables to add to the agent’s small environment. Never write a secret here.'),
    ...common,
  })
  .refine(({ agent, command }) => agent !== undefined || command !== undefined, {
    error: `an agent (${codingAgents.join(', ')}) or a command`,
    path: ['agent'],
  })
  .refine(({ agent, headless }) => agent !== undefined || headless !== true, {
    error: `one of ${codingAgents.join(', ')}: headless needs to know which agent it is`,
    path: ['agent'],
  })

export const agentSchema = z.discriminatedUnion('provider', [
  hosted('anthropic'),
  hosted('openai'),
  hosted('google'),
  compatible,
  coding,
  rehearsal,
  remote,
])
export type AgentConfig = z.output<typeof agentSchema>

export const agentName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, {
    error: 'made of letters, digits, dots, dashes and underscores, at most 64 of them',
  })
  .refine((name) => !reservedNames.some((reserved) => reserved === name.toLowerCase()), {
    error: `another name: ${reservedNames.join(', ')} are taken`,
  })

export const agentsSchema = z.record(agentName, agentSchema)

const role = (what: string) => words.optional().describe(`The agent that ${what}.`)

export const rolesSchema = z.strictObject({
  proposer: role(
    'writes the proposals for all agents (choose a cheap, quick one); by default each agent writes its own',
  ),
  summariser: role('summarises long rooms (choose a cheap one); by default the proposer, coordinator or first model'),
  coordinator: role('coordinates planning phases, analyses failures and writes summaries'),
  panel: z.array(words).default([]).describe('The agents that deliberate in planning phases; use different models.'),
  reviewers: z.array(words).default([]).describe('The agents that review a plan as experts.'),
  scaffold: role('designs the interface of a build node'),
  tdd: role('writes the tests and reviews the code; by default an agent other than the implementer'),
  impl: role('writes the code'),
  reviewer: role('reviews the code; by default the agent that writes the tests'),
  merger: role('resolves merge conflicts'),
  rebaser: role('adapts a part to another part that was merged before it'),
})
