/** Estimates the tokens of a text, for budgets and context windows. Real usage comes from the provider. */
import { estimateTokenCount } from 'tokenx'

/** ASCII text has about four characters per token; other scripts need a better estimate. */
export function countTokens(text: string): number {
  return beyondAscii.test(text) ? estimateTokenCount(text) : Math.ceil(text.length / 4)
}

const beyondAscii = /[\u0080-\uffff]/
