/** The words of a message by which its sender speaks to the room. SPEC.md § DP9. */
import { withoutCode } from '../../text/without-code.ts'
import { withoutQuotes } from '../../text/without-quotes.ts'

/** No code, no quoted lines, nothing in quotation marks. In lower case. */
export function spokenWords(message: string): string {
  const plain = withoutCode(withoutQuotes(message))
    .replace(quantified, 'sämtliche')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")
  const spoken = plain.replace(/"[^"\n]{0,300}"|“[^”\n]{0,300}”|„[^“”\n]{0,300}[“”]|«[^»\n]{0,300}»/g, '""')
  return spoken.length <= 2 * readAtEachEnd
    ? spoken
    : `${spoken.slice(0, readAtEachEnd)}\n${spoken.slice(-readAtEachEnd)}`
}

/** German writes nouns with a capital: "alle Tests" are things, "ihr alle" are agents. */
const quantified =
  /(?<!\p{L})(?:[Aa]lle[nr]?|[Bb]eide[nr]?|[Jj]ede[rsmn]?|(?:[Dd]ie|[Dd]en|[Dd]er) (?:beiden |zwei )?anderen)(?= (?!Drei|Zwei|Vier|Mal|Von|Bitte)\p{Lu}\p{Ll})/gu

/** A wish stands at the beginning or the end of a message; what lies between in a long one is pasted. */
const readAtEachEnd = 4000
