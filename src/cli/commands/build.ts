/** `convene build`: builds a spec into a branch and shows the tree of nodes as it grows. */
import { randomUUID } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Document, parseDocument } from 'yaml'
import { ConveneError } from '../../kernel/errors.ts'
import { yamlHazard } from '../../kernel/safe-yaml.ts'
import { buildStrategies, type Spec, specSchema } from '../../rules/build/spec.ts'
import { inputError } from '../../rules/schema/rule.ts'
import { connect } from '../client/client.ts'
import { followBuild } from '../follow/follow-build.ts'
import { fileProblem } from './arguments.ts'
import type { CommandContext } from './command.ts'
import { untilInterrupted } from './interrupt.ts'

interface BuildOptions {
  strategy: string
  merge?: boolean
}

export async function buildCommand(context: CommandContext, file: string, options: BuildOptions): Promise<number> {
  const spec = readSpec(file)
  const strategy = buildStrategies.find((known) => known === options.strategy)
  if (!strategy)
    throw new ConveneError('usage', `--strategy ${options.strategy}: unknown strategy`, {
      path: '--strategy',
      expected: buildStrategies.join(' | '),
    })
  const client = await connect(context)
  try {
    return await untilInterrupted(async (interrupted) => {
      const id = `build-${randomUUID()}`
      await client.call('POST /api/builds', {
        body: { spec, file: resolve(file), strategy, merge: Boolean(options.merge), id },
      })
      return followBuild(client, id, context.output, interrupted)
    })
  } finally {
    await client.close()
  }
}

/** Reads YAML, and so JSON too. Errors name the file, the key and what is expected there. */
export function readSpec(file: string): Spec {
  const document = parseDocument(readText(file), { prettyErrors: true })
  const [broken] = document.errors
  if (broken) throw new ConveneError('invalid_spec', `${file}: ${broken.message}`, { path: file })
  const hazard = yamlHazard(document)
  if (hazard) throw new ConveneError('invalid_spec', `${file}: ${hazard.message}`, { path: file })
  const parsed = specSchema.safeParse(plainValue(document, file))
  if (parsed.success) return parsed.data
  const { message, path, expected } = inputError(parsed.error)
  throw new ConveneError('invalid_spec', `${file}: ${message}`, { path, expected })
}

/** Aliases can expand a small file without end: then the whole file is refused. */
function plainValue(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : 'it cannot be read'
    throw new ConveneError('invalid_spec', `${file}: ${why}`, { path: file })
  }
}

/** The spec and its envelope must fit into one request. */
const mostBytes = 1_000_000

function readText(file: string): string {
  try {
    const { size } = statSync(resolve(file))
    if (size > mostBytes) throw tooLarge(file, size)
    return readFileSync(resolve(file), 'utf8')
  } catch (error) {
    if (error instanceof ConveneError) throw error
    throw new ConveneError(
      'invalid_spec',
      `${file}: ${fileProblem(error)}. Write the spec as a YAML or JSON file; convene build --help shows one.`,
      {
        path: file,
      },
    )
  }
}

function tooLarge(file: string, size: number): ConveneError {
  const message = `${file}: a spec may have at most 1 MB (${mostBytes} bytes); this one has ${size}`
  return new ConveneError('invalid_spec', message, { path: file, expected: `at most ${mostBytes} bytes` })
}
