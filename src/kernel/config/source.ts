/** `source`: how agents read the project in rooms and plans. */
import { z } from 'zod'
import { defaultMapTokens } from '../../rules/context/source-map.ts'
import { wholeNumber } from './values.ts'

export const sourceSchema = z.strictObject({
  map_tokens: wholeNumber
    .min(500)
    .max(200_000)
    .default(defaultMapTokens)
    .describe('Tokens of the map of the project in a prompt; a project whose source fits is included whole.'),
  max_steps: wholeNumber
    .min(2)
    .max(1000)
    .default(24)
    .describe('Model replies, tool calls included, that one ask may use; the last one must be the answer.'),
})
