/** API responses requested before the code that reads them has loaded. Each is used once. */
import { type ApiRoute, type CallArguments, requestLine } from '../../../src/serve/call.ts'

const answers = new Map<string, Promise<Response>>()
/** An unused response is dropped after this long, so that a later request gets fresh data. */
const staleMs = 8000

export function prefetch<Route extends ApiRoute>(route: Route, ...[parts]: CallArguments<Route>): void {
  const { path } = requestLine(route, parts ?? {})
  const answer = fetch(path, { headers: { accept: 'application/json' } })
  answers.set(path, answer)
  setTimeout(() => answers.delete(path), staleMs)
  // The caller that takes the response handles its failure.
  answer.catch(() => {})
}

export function takePrefetched(path: string): Promise<Response> | undefined {
  const answer = answers.get(path)
  answers.delete(path)
  return answer
}
