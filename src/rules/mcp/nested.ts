/** MC1: an agent that Convene started may not start work through Convene again, unless the configuration allows it. */

/** The environment variable that says how deep below another Convene a process runs. */
export const depthVariable = 'CONVENE_DEPTH'

/** MC1: reads the variable; anything but a whole number counts as one level, so that a garbled value never opens the door. */
export function nestingDepth(value: string | undefined): number {
  if (value === undefined || value.trim() === '') return 0
  return /^\d+$/.test(value.trim()) ? Number(value.trim()) : 1
}

/** MC1: whether a tool may be called at this depth. Tools that only look are always allowed. */
export function mayCall(tool: { startsWork: boolean }, depth: number, allowNested: boolean): boolean {
  return !tool.startsWork || depth === 0 || allowNested
}
