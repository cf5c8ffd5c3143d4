/** Lines of a rehearsal in which reviewers and a comparison find something. */
import { type Line, type ServedPlan, synthesis } from './project.ts'

export const design: Line = {
  when: { ask: 'phase', phase: '4', contains: synthesis },
  reply: {
    artefact: '## Approach\n\nRead the whole file.\n\n## Components\n\nA reader.',
    summary: 'Files are read whole.',
    key_decisions: [
      { decision: 'Files are read whole', rationale: 'simple', confidence: 'HIGH' },
      { decision: 'One reader', rationale: 'enough', confidence: 'MEDIUM' },
    ],
  },
}
export const major = (title: string) => ({ severity: 'MAJOR', confidence: 90, title })
export const found = (...titles: string[]): Line => ({
  when: { ask: 'review', phase: '6b', contains: 'You are security-analyst' },
  reply: { findings: titles.map(major) },
})
export const amends = (phase: string, reply: unknown): Line => ({
  when: { ask: 'phase', phase, contains: 'Reply in this form: an amendment' },
  reply,
})
export const streamed = {
  points: [
    { id: 'a1', settled: true, how: 'lines are streamed' },
    { id: 'a2', settled: false, how: 'nobody knows the largest file' },
  ],
  documents: [
    {
      file: 'design.md',
      summary: 'Files are streamed line by line.',
      sections: [{ heading: 'Approach', text: 'Stream the file line by line.' }],
    },
  ],
  key_decisions: [
    { id: 'MINE-7', decision: 'Files are streamed', rationale: 'memory', confidence: 'HIGH', supersedes: ['D4-1'] },
  ],
}
export const asksOf = (plan: ServedPlan, form: string) =>
  plan.asked.filter(({ prompt }) => prompt.includes(`Reply in this form: ${form}.`))

export const contradiction = {
  matter: 'How are files read?',
  first: { where: 'design.md', says: 'whole' },
  second: { where: 'test-plan.md', says: 'line by line' },
}
export const compared = (...found: unknown[]): Line => ({
  when: { ask: 'review', phase: '9', contains: 'Reply in this form: contradictions' },
  reply: { contradictions: found },
})
export const repaired = (values: object = {}) => ({
  points: [{ id: 'a1', settled: true, how: 'the test plan reads it whole' }],
  documents: [
    {
      file: 'test-plan.md',
      summary: 'Tests read files whole.',
      sections: [{ heading: 'Approach', text: 'Whole files.' }],
    },
  ],
  ...values,
})
