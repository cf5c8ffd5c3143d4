/** Whether a request for events wants one page of the log; otherwise it opens a stream. */
export function wantsPage(accept: string): boolean {
  return accept.includes('application/json') && !accept.includes('text/event-stream')
}
