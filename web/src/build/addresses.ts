/** Where things of a build are found. */

export const buildAddress = (build: string) => `/builds/${build}`

/** `key` is the node's path with slashes, which no id has in it. */
export function nodeAddress(build: string, key: string, tab?: string): string {
  const path = key.split('/').map(encodeURIComponent).join('/')
  return `${buildAddress(build)}/nodes/${path}${tab ? `?tab=${tab}` : ''}`
}
