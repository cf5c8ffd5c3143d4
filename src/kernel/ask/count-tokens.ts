/** How many tokens a text probably has: for budgets and windows. Real usage comes from the provider. */
import { estimateTokenCount } from 'tokenx'

/** Plain English text has about four characters to a token; other scripts need a closer look. */
export function countTokens(text: string): number {
  return beyondAscii.test(text) ? estimateTokenCount(text) : Math.ceil(text.length / 4)
}

const beyondAscii = /[\u0080-\uffff]/
