/**
 * Names of branches. Ids have no `+`, so that no node's branch is a folder in which another's would have to lie. A spec
 * that is a feature of its own gives its id to the folder; those of a larger feature are named below it.
 */
export function nodeBranch(feature: string, path: readonly string[]): string {
  const below = path[0] === feature ? path.slice(1) : path
  return `refs/heads/convene/${feature}/+${below.join('+')}`
}

export function integrationBranch(feature: string): string {
  return `refs/heads/convene/${feature}/main`
}

export function shortName(ref: string): string {
  return ref.replace(/^refs\/heads\//, '')
}
