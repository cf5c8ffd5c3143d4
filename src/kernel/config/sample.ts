/** `sample`: marks a sample project, and names the goal that its start page offers to ship. */
import { z } from 'zod'
import { modes } from '../../rules/plan/mode.ts'
import { words } from './values.ts'

export const sampleSchema = z.strictObject({
  goal: words.describe('The goal to ship.'),
  mode: z.enum(modes).default('standard').describe('How thoroughly to plan it.'),
  answers: z
    .array(
      z.strictObject({
        match: words.describe('A part of the question.'),
        answer: words.describe('The answer.'),
      }),
    )
    .default([])
    .describe('Answers to the questions that a person would be asked.'),
  start: words.optional().describe('The tag or commit that a reset returns the branch to.'),
})
