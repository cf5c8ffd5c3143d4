/** `sample`: a project made to be played with, and the goal that its start page offers to ship. */
import { z } from 'zod'
import { modes } from '../../rules/plan/mode.ts'
import { words } from './values.ts'

export const sampleSchema = z.strictObject({
  goal: words.describe('What the button ships.'),
  mode: z.enum(modes).default('standard').describe('How thoroughly it is planned.'),
  answers: z
    .array(
      z.strictObject({
        match: words.describe('A part of the question it is for.'),
        answer: words.describe('What is answered.'),
      }),
    )
    .default([])
    .describe('Answers to questions that a person would be asked on the way.'),
  start: words.optional().describe('The tag or commit that the branch is put back to when it is played again.'),
})
