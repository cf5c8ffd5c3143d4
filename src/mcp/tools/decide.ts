/** `convene_decide`: evaluates one of the rules. Needs no project, state or agents. */
import { z } from 'zod'
import { ConveneError } from '../../kernel/errors.ts'
import { loadRule, ruleNames } from '../../rules/catalogue.ts'
import { applyRule } from '../../rules/schema/rule.ts'
import { defineTool, resultOf } from '../calls/tool.ts'

export const decideTool = defineTool({
  name: 'convene_decide',
  title: 'Evaluate a rule',
  description:
    'Make one of Convene’s decisions by hand: pure, instant and free. `input` is what `convene decide` reads.',
  input: z.strictObject({ rule: z.enum(ruleNames), input: z.record(z.string(), z.unknown()) }),
  output: resultOf({}),
  readOnly: true,
  async run({ rule, input }) {
    const ruling = applyRule(await loadRule(rule), input)
    if (ruling.ok) return ruling.output as object
    const { code, message, path, expected } = ruling.error
    throw new ConveneError(code, message, { path, expected })
  },
})
