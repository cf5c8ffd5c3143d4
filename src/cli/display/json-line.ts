/** A value as one line of JSON. Characters that steer a terminal are escaped, which leaves the value the same. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(steering, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Those that JSON itself lets through. */
const steering = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g
