/** `convene user add|list|remove|token`: the people of a project in a shared database. */
import { loadConfig } from '../../kernel/config/load.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { type Role, roles } from '../../rules/team/roles.ts'
import type { CommandContext } from './command.ts'
import { requireDatabase } from './require-database.ts'
import { withClient } from './with-client.ts'

interface UserOptions {
  role?: string
  email?: string
}

export async function userCommand(
  context: CommandContext,
  action: string,
  name: string | undefined,
  options: UserOptions,
): Promise<number> {
  if (!isAction(action))
    throw new ConveneError('usage', `user: there is no '${action}'`, { path: 'action', expected: actions.join(' | ') })
  if (name === undefined && action !== 'list')
    throw new ConveneError('usage', `user ${action}: say whom: convene user ${action} <name>`, { path: 'name' })
  if (action === 'add') checkRole(options.role)
  requireDatabase(loadConfig(context), 'user')
  return action === 'list' ? list(context) : change(context, action, name!, options)
}

const actions = ['add', 'list', 'remove', 'token'] as const
type Action = (typeof actions)[number]
const isAction = (text: string): text is Action => (actions as readonly string[]).includes(text)

function checkRole(role: string | undefined): asserts role is Role {
  if (role !== undefined && (roles as readonly string[]).includes(role)) return
  throw new ConveneError('usage', role === undefined ? 'user add needs --role' : `--role: there is no role '${role}'`, {
    path: 'role',
    expected: [...roles].reverse().join(' | '),
  })
}

function list(context: CommandContext): Promise<number> {
  return withClient(context, { brief: true }, async (client, output) => {
    const { users } = await client.call('GET /api/users')
    output.data({ users })
    if (users.length === 0) output.print('No users yet. `convene user add <name> --role member` adds one.')
    for (const { name, role, email } of users)
      output.print(`${name}  ${output.style('dim', email === undefined ? role : `${role}  ${email}`)}`)
    return 0
  })
}

function change(
  context: CommandContext,
  action: Exclude<Action, 'list'>,
  name: string,
  { role, email }: UserOptions,
): Promise<number> {
  return withClient(context, { brief: true }, async (client, output) => {
    if (action === 'remove') {
      await client.call('POST /api/users/:user/remove', { params: { user: name } })
      output.data({ removed: name })
      output.print(`Removed ${name}. Their token and their sessions have ended.`)
      return 0
    }
    const { token } =
      action === 'add'
        ? await client.call('POST /api/users', { body: { name, role: role as Role, ...(email ? { email } : {}) } })
        : await client.call('POST /api/users/:user/token', { params: { user: name } })
    output.data({ name, ...(action === 'add' ? { role } : {}), token })
    output.print(token)
    output.note(
      `This is the only time that ${name}'s token is shown. They use it as CONVENE_TOKEN, or open the server's address with /?token=<token>.`,
    )
    return 0
  })
}
