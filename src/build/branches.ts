/** Names of branches. Ids have no `+`, so that no node's branch is a folder in which another's would have to lie. */
export function nodeBranch(feature: string, path: readonly string[]): string {
  return `refs/heads/convene/${feature}/+${path.slice(1).join('+')}`
}

export function integrationBranch(feature: string): string {
  return `refs/heads/convene/${feature}/main`
}

export function shortName(ref: string): string {
  return ref.replace(/^refs\/heads\//, '')
}
