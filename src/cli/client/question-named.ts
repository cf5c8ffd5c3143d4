/** Finds a question by the beginning of its id. */
import { ConveneError } from '../../kernel/errors.ts'

/** Shorter beginnings are refused: they would soon mean another question. */
const shortest = 3

/** The id of the one open question that it begins; else what was given, which the server then refuses. */
export function questionNamed(named: string, open: readonly { id: string }[]): string {
  if (named.length < shortest || open.some(({ id }) => id === named)) return named
  const found = open.filter(({ id }) => id.startsWith(named.toLowerCase()))
  if (found.length > 1)
    throw new ConveneError(
      'ambiguous_question',
      `${found.length} open questions begin with '${named}'. Give more of the id; \`convene questions\` lists them.`,
      { status: 409, path: 'question' },
    )
  return found[0]?.id ?? named
}
