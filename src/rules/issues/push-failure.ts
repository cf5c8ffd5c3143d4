/** Tells whether pushing again may succeed, from what git printed. SPEC.md § GH3. */

/** Network trouble and server errors pass; a refused push, a missing repository and missing rights do not. */
export function isTransientPushFailure(output: string): boolean {
  if (/permission denied|authentication failed|host key verification/i.test(output)) return false
  return transient.test(output)
}

const transient = new RegExp(
  [
    'could not resolve host',
    'temporary failure in name resolution',
    'network is unreachable',
    'no route to host',
    'failed to connect',
    "couldn't connect",
    'connection (refused|reset|closed|timed out|was reset)',
    '(operation|connection) timed out',
    'hung up unexpectedly',
    'early eof',
    'returned error: (429|5\\d\\d)',
    'http (429|5\\d\\d)',
    'internal server error',
  ].join('|'),
  'i',
)
