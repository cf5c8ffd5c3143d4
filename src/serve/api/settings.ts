/** Routes for the agents and roles of `convene.yaml`. Browser-safe. */
import { z } from 'zod'
import type { AgentState, RoleState, SettingsView } from '../../app/agent-settings.ts'
import { type Routes, schemaOf } from './route.ts'

const agentState = schemaOf<AgentState>({
  name: z.string(),
  provider: z.string(),
  agent: z.string().optional().describe('Which coding agent, by the name of its preset'),
  title: z.string().optional(),
  model: z.string().optional(),
  version: z.string().optional(),
  state: z.enum(['ok', 'missing', 'login', 'old', 'off']).describe('off: on this machine, but not configured'),
  detail: z.string(),
  fix: z.string().optional().describe('The one line that fixes it'),
  cost: z.string().optional().describe('What trying it costs; absent if it cannot be asked'),
  connect: z.string().optional().describe('What to send to connect it'),
})

const settings = schemaOf<SettingsView>({
  file: z.string(),
  restart: z.boolean().describe('The file was changed since Convene started; a restart uses it'),
  agents: z.array(agentState),
  roles: z.array(
    schemaOf<RoleState>({
      role: z.string(),
      about: z.string(),
      agent: z.string().nullable().describe('Null: Convene picks one'),
    }),
  ),
  suggested: z.record(z.string(), z.string()).describe('Who would do what by the rule for new projects (AG7)'),
})

export const settingsRoutes = {
  'GET /api/settings': {
    name: 'getSettings',
    role: 'viewer',
    summary: 'Find the agents of this machine and of convene.yaml, with their state and roles. Asks no model.',
    response: settings,
  },
  'POST /api/settings/agents': {
    name: 'connectAgent',
    role: 'owner',
    summary: 'Add an agent that was found to convene.yaml. Comments stay.',
    body: z.strictObject({ connect: z.string().min(1).max(64) }),
    response: settings,
    errors: [403, 409],
  },
  'POST /api/settings/agents/:agent/try': {
    name: 'tryAgent',
    role: 'member',
    summary: 'Ask an agent one tiny question; `cost` of its state says what that costs. Takes up to two minutes.',
    response: agentState,
    errors: [403],
  },
  'POST /api/settings/roles': {
    name: 'assignRoles',
    role: 'owner',
    summary: 'Write roles to convene.yaml; null leaves a role to Convene. Comments stay.',
    body: z.strictObject({ roles: z.record(z.string().max(64), z.string().max(64).nullable()) }),
    response: settings,
    errors: [403, 409],
  },
} as const satisfies Routes
