/** Connects, does the work and closes the connection, also when the work fails. */
import { type Client, connect } from '../client/client.ts'
import type { ClientOptions } from '../client/find-owner.ts'
import type { Output } from '../display/output.ts'
import type { CommandContext } from './command.ts'

export async function withClient(
  context: CommandContext,
  options: ClientOptions,
  work: (client: Client, output: Output) => Promise<number>,
): Promise<number> {
  const client = await connect(context, options)
  try {
    return await work(client, context.output)
  } finally {
    await client.close()
  }
}
