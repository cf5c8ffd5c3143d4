/** The commands for a project that several machines share. */
import type { Command } from 'commander'
import type { CommandAction } from './commands/command.ts'

export type AddCommand = (
  usage: string,
  summary: string,
  load: () => Promise<CommandAction>,
  shape?: (command: Command) => void,
) => void

export function addTeamCommands(add: AddCommand): void {
  add(
    'worker',
    'take runs of a project in a shared database, until stopped',
    async () => (await import('./commands/worker.ts')).workerCommand,
    (command) =>
      command
        .option('--capacity <n>', 'take at most this many runs at once', '4')
        .option('--floors <floors>', 'take only work of these floors: room,plan,build,ship')
        .option('--agents <agents>', 'take only work that needs no agents but these'),
  )
  add(
    'peer',
    'answer for one agent in a room of peers, until stopped',
    async () => (await import('./commands/peer.ts')).peerCommand,
    (command) =>
      command
        .requiredOption('--name <agent>', 'answer for this agent, which is configured here (required)')
        .requiredOption('--room <room>', 'join this room, by id or name (required)')
        .option('--agents <agents>', 'if there is no such room, create it with these agents')
        .addHelpText(
          'after',
          `
Examples:
  convene peer --name gpt --room design
  convene peer --name gpt --room design --agents claude,gpt,mistral`,
        ),
  )
  add(
    'migrate',
    'copy the local state to a Postgres database and verify the copy; the local state stays',
    async () => (await import('./commands/migrate.ts')).migrateCommand,
    (command) =>
      command
        .requiredOption('--to <url>', 'copy to this database: postgres://user:password@host:5432/database (required)')
        .addHelpText(
          'after',
          `
Example:
  convene migrate --to "$CONVENE_DATABASE_URL"`,
        ),
  )
  add(
    'user <action> [name]',
    'add, list or remove the users of a shared project, or give one a new token',
    async () => (await import('./commands/user.ts')).userCommand,
    (command) =>
      command
        .option('--role <role>', 'with add: owner, member or viewer')
        .option('--email <address>', 'with add: the address they log in with, if it is not their name')
        .addHelpText(
          'after',
          `
Actions: add, list, remove, token.

Examples:
  convene user add ann --role member
  convene user list`,
        ),
  )
}
