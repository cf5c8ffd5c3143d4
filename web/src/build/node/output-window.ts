/** Reads a command's output from its end, where errors are. */
/** Enough for a screen or three. */
export const windowBytes = 16_384

export interface ByteRange {
  start: number
  end: number
}

/** The part before `from`. */
export function windowBefore(from: number): ByteRange {
  return { start: Math.max(0, from - windowBytes), end: from }
}

/** Drops a character cut off by the range, and terminal colours. */
export function readableOutput(bytes: Uint8Array, isStart: boolean): string {
  let from = 0
  // Continuation bytes of a character start with the bits 10.
  while (!isStart && from < 4 && (bytes[from]! & 0xc0) === 0x80) from += 1
  return withoutEscapes(new TextDecoder().decode(bytes.subarray(from)))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g

function withoutEscapes(text: string): string {
  return text.replace(escapes, '').replace(/\r\n?/g, '\n')
}

export function byteLabel(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1_000_000
    ? `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`
}
