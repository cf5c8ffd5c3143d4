/** A server in a separate process, which a test can kill while a page is open. */
import { start } from '../support/convene.ts'

/** What a browser logs about an unreachable server. */
export const absent = /ERR_(CONNECTION_REFUSED|CONNECTION_RESET|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE)/

export interface ServerProcess {
  server: { url: string; token: string }
  kill(): void
}

/** Starts it as a user would. */
export async function serveAt(port: number, folder: string): Promise<ServerProcess> {
  const started = start(['serve', '--port', String(port)], { cwd: folder })
  const [, url, token] = await started.says(/(http:\/\/127\.0\.0\.1:\d+)\/\?token=(\S+)/)
  return { server: { url: url!, token: token! }, kill: () => started.child.kill('SIGKILL') }
}
