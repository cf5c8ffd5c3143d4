/** How long a provider asked us to wait. */

/** Reads `retry-after-ms`, then `retry-after` (seconds or an HTTP date), then Google's `retryDelay` in the body. */
export function retryAfterMs(
  headers: Readonly<Record<string, string>> | undefined,
  body: string | undefined,
  now: number,
): number | undefined {
  const milliseconds = toNumber(headers?.['retry-after-ms'])
  if (milliseconds !== undefined) return Math.ceil(milliseconds)
  const header = headers?.['retry-after']
  const seconds = toNumber(header) ?? toNumber(/"retryDelay"\s*:\s*"([\d.]+)s"/.exec(body ?? '')?.[1])
  if (seconds !== undefined) return Math.ceil(seconds * 1000)
  // `Date.parse` would read a bare number as a year.
  const date = /[a-z]/i.test(header ?? '') ? Date.parse(header!) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function toNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined
  return Number(text)
}
