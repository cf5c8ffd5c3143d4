/** Reads YAML from files that others may have written: bounded in depth and aliases, and free of cycles. SPEC.md § TR13. */
import { type Document, isAlias, isCollection, isPair, type Node, parseDocument, visit } from 'yaml'

const deepest = 100
const mostAliases = 100

/** What makes a document unusable although it is valid YAML. */
export interface YamlHazard {
  message: string
  offset?: number
}

export const tooDeep = 'maps and lists are nested too deeply here'

/** Null if the document can be turned into plain data. */
export function yamlHazard(document: Document): YamlHazard | null {
  let found: YamlHazard | null = null
  visit(document, {
    Node(_, node, path) {
      const offset = node.range?.[0]
      if (path.filter(isCollection).length > deepest) found = { message: tooDeep, offset }
      else if (isAlias(node)) found = aliasHazard(document, node, path as readonly unknown[], offset)
      return found ? visit.BREAK : undefined
    },
  })
  return found
}

/** Plain data, as `yaml.parse` gives it. Throws an `Error` whose message is for people. */
export function parseYaml(text: string): unknown {
  const document = parseDocument(text, { logLevel: 'silent' })
  const [error] = document.errors
  if (error) throw error.code === 'RESOURCE_EXHAUSTION' ? new Error(tooDeep) : error
  const hazard = yamlHazard(document)
  if (hazard) throw new Error(hazard.message)
  return document.toJS({ maxAliasCount: mostAliases })
}

function aliasHazard(
  document: Document,
  alias: Node & { source?: string },
  path: readonly unknown[],
  offset: number | undefined,
): YamlHazard | null {
  const target = isAlias(alias) ? alias.resolve(document) : undefined
  if (target === undefined) return null
  const isInside = path.some((above) => above === target || (isPair(above) && above.value === target))
  return isInside ? { message: `'*${alias.source}' stands inside '&${alias.source}', so it never ends`, offset } : null
}
