/** A command that Convene itself ended: at which limit, and the key that raises it. SPEC.md § VF9, TR11. */

export interface EarlyEnd {
  what: string
  fix: string
}

export interface EndedCommand {
  command: string
  /** Its key in `build`. */
  key: 'setup' | 'build' | 'test'
  /** How it ended: `exited`, `timed-out` … */
  ended?: string | undefined
  /** `build.command_seconds`. */
  commandSeconds?: number | undefined
}

/** Undefined if it came to its own end. */
export function endedEarly({ command, key, ended, commandSeconds }: EndedCommand): EarlyEnd | undefined {
  const limit = limits[ended ?? '']
  if (limit === undefined) return undefined
  const { reached, raise, narrower } = limit
  const after = ended === 'timed-out' && commandSeconds !== undefined ? ` after ${commandSeconds} s` : ''
  const larger = raise === undefined ? '' : `a larger build: ${raise} into convene.yaml, or `
  return {
    what: `Convene ended \`${command}\`${after}: ${reached}`,
    fix: `write ${larger}a build.${key} that ${narrower}`,
  }
}

const limits: Readonly<Record<string, { reached: string; raise?: string; narrower: string }>> = {
  'timed-out': {
    reached: 'it reached the limit build.command_seconds',
    raise: '{command_seconds: <seconds>}',
    narrower: 'runs less',
  },
  'out-of-memory': {
    reached: 'it reached the limit build.limits.memory_mb',
    raise: '{limits: {memory_mb: <MB>}}',
    narrower: 'needs less memory',
  },
  'too-many-processes': {
    reached: 'it reached the limit build.limits.processes',
    raise: '{limits: {processes: <number>}}',
    narrower: 'starts fewer processes',
  },
  'file-too-large': {
    reached: 'it reached the limit build.limits.file_mb',
    raise: '{limits: {file_mb: <MB>}}',
    narrower: 'writes smaller files',
  },
  'too-much-output': { reached: 'it printed more than a command may', narrower: 'prints less' },
}
