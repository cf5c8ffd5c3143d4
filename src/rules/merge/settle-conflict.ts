/** How a person settles a conflict between finished work and their branch. SPEC.md § MG. */

interface Conflict {
  /** The branch with the work, and the branch that it could not be merged into. */
  branch: string
  target: string
  /** The command that tries the merge again. */
  again: string
}

/** [MG4] Two commands: the conflict is settled where the work is, and Convene merges what was committed there. */
export function howToSettle({ branch, target, again }: Conflict): string {
  return (
    `settle it on the branch of the work: \`git switch ${branch} && git merge ${target}\`, ` +
    `correct the files and commit; then: \`git switch ${target} && ${again}\``
  )
}
