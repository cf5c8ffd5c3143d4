/** Decides what a coding agent may do when it asks. SPEC.md § AG2. */

export const permissionPolicies = ['worktree', 'ask', 'deny'] as const
export type PermissionPolicy = (typeof permissionPolicies)[number]

/** What an agent asks for. */
export interface PermissionFacts {
  policy: PermissionPolicy
  /** Rooms and plans read; only a build's worktree may be changed. */
  mayWrite: boolean
  /** The kind of tool, in the words of the agent client protocol. */
  kind: string
  /** Convene's own tool, with which the agent ends its work. */
  isExitTool: boolean
  /** The files and folders that the tool touches lie in the worktree. True if it names none. */
  isInside: boolean
  /** A command of an agent that runs its commands in a sandbox of its own and asks only for those that leave it. */
  leavesSandbox: boolean
}

export interface PermissionVerdict {
  decision: 'allow' | 'deny' | 'ask'
  why: string
}

const reading: readonly string[] = ['read', 'search', 'think']
const working: readonly string[] = ['edit', 'delete', 'move', 'execute']

export function judgePermission(facts: PermissionFacts): PermissionVerdict {
  if (facts.isExitTool) return { decision: 'allow', why: 'it ends the work' }
  if (!facts.isInside) return { decision: 'deny', why: 'it leads out of the worktree' }
  if (reading.includes(facts.kind)) return { decision: 'allow', why: 'it only reads the worktree' }
  if (!facts.mayWrite) return { decision: 'deny', why: 'this ask may only read' }
  if (facts.policy === 'ask') return { decision: 'ask', why: 'permissions: ask' }
  if (facts.policy === 'deny') return { decision: 'deny', why: 'permissions: deny' }
  if (facts.leavesSandbox) return { decision: 'deny', why: "it leaves the agent's own sandbox" }
  if (working.includes(facts.kind)) return { decision: 'allow', why: 'it works in the worktree' }
  return { decision: 'deny', why: 'it is neither an edit nor a command in the worktree' }
}

/** What an agent asks for, in a line: its own title, and the command or path that the title leaves out. */
export function permissionText({ title, command, path }: { title: string; command?: string; path?: string }): string {
  const what = command ?? path
  return what === undefined || title.includes(what) ? title : `${title} (${what})`
}

export interface PermissionOption {
  optionId: string
  kind: string
}

/** The option that says it for this call alone: a lasting one would hold beyond this ask. Null: the agent offers none. */
export function optionFor(decision: 'allow' | 'deny', options: readonly PermissionOption[]): string | null {
  const wanted = decision === 'allow' ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always']
  for (const kind of wanted) {
    const found = options.find((option) => option.kind === kind)
    if (found) return found.optionId
  }
  return null
}
