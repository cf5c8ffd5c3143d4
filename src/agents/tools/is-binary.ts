/** Whether a file is text, as git sees it: a zero byte near the beginning says no. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0)
}
