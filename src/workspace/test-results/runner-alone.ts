/** The runner's part of a chained test command, for some paths, without the linters and type checkers around it. */
import { checkers } from '../../rules/build/verification.ts'
import { recogniseRunner, runnerIn, type Scripts, startedScript } from './recognise-runner.ts'
import { type ReportingCommand, reportingCommand } from './reporting-command.ts'

/** Undefined if the command is no chain, or its runner cannot be told paths. What stands in front, such as a build, stays. */
export function runnerAlone(
  command: string,
  scripts: Scripts,
  { paths, reports }: { paths: readonly string[]; reports: string },
): ReportingCommand | undefined {
  const chain = chainOf(command, scripts)
  if (!chain || paths.length === 0) return undefined
  const isRunner = (part: string) => recogniseRunner(part, scripts).name !== undefined
  const at = chain.parts.findIndex(isRunner)
  const part = chain.parts[at]
  // With two runners it is unknown which of them has these paths.
  if (part === undefined || chain.parts.slice(at + 1).some(isRunner)) return undefined
  const runner = recogniseRunner(part, scripts)
  if (!runner.takesPaths || (runnerIn(part) === undefined && startedScript(part, scripts) === undefined))
    return undefined
  const own = reportingCommand(part, runner, { paths, reports })
  const before = chain.parts.slice(0, at).filter((one) => !new RegExp(checkers).test(one))
  // A package manager adds this folder to the path of its scripts.
  const path = chain.isScript ? 'export PATH="$PWD/node_modules/.bin:$PATH"; ' : ''
  const whole = (last: string) => path + [...before, last].join(' && ')
  return { command: whole(own.command), reporting: whole(own.reporting), narrowed: own.narrowed }
}

/** The parts of a chain of `&&`, also where the command is a script of `package.json` that is one. */
function chainOf(command: string, scripts: Scripts): { parts: string[]; isScript: boolean } | undefined {
  const parts = partsOf(command)
  if (parts === undefined) return undefined
  if (parts.length > 1) return { parts, isScript: false }
  const started = startedScript(command.trim(), scripts)
  if (started?.name === undefined || scripts.script(`pre${started.name}`) !== undefined) return undefined
  const inner = partsOf(started.text)
  return inner && inner.length > 1 ? { parts: inner, isScript: true } : undefined
}

function partsOf(command: string): string[] | undefined {
  const parts = command.split('&&').map((part) => part.trim())
  return parts.some((part) => part === '' || /^cd\b|[|;<>\n&()`'"$]/.test(part)) ? undefined : parts
}
