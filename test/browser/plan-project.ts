/**
 * A rehearsed plan that has everything a page can show: silence, doubt, disagreement, a red panel and critical
 * findings.
 */

/** Agents' text stays text wherever it is shown: none of this may become markup. */
const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>'

interface Line {
  when: { ask: string; phase?: string; round?: number; attempt?: number; contains?: string }
  reply?: Record<string, unknown>
  fail?: string
  repeat?: boolean
}

export function planProjectFiles(): Record<string, string> {
  const agents = ['claude', 'gpt', 'gemini']
  return {
    'README.md': '# Parcels\n\nSorts what comes back.\n',
    'index.ts': '/** What the depot offers. */\n',
    'script.yaml': JSON.stringify(lines),
    'convene.yaml': JSON.stringify({
      agents: Object.fromEntries(agents.map((name) => [name, { provider: 'rehearsal', script: 'script.yaml' }])),
      budget: { usd: 2, calls: 400 },
    }),
  }
}

const always = (when: Line['when'], reply: Record<string, unknown>): Line => ({ when, reply, repeat: true })
const silent = (when: Line['when']): Line => ({ when, fail: 'refused', repeat: true })
const synthesis = 'Reply in this form: a synthesis'

const scores = (scope: number) => ({ scores: { value: 2, scope, acceptance: 1, constraints: 1, risk: 1 } })

const stands = (shelf: string, label: string, output: string) => ({
  output,
  positions: [
    { question: 'Where do parcels wait', choice: shelf },
    { question: 'Who prints the label', choice: label },
  ],
})

const design = (decisions: Record<string, unknown>[]) => ({
  summary: 'Parcels wait on one shelf for each day.',
  artefact: `## Approach\n\nOne shelf for each day. ${hostile}\n\n## Diagram\n\n\`\`\`mermaid\ngraph LR\n  door --> shelf\n\`\`\`\n`,
  key_decisions: decisions,
  open_questions: [{ id: 'OQ-1', question: 'Who empties the shelf on Sundays?', priority: 'HIGH' }],
  risks_identified: [{ id: 'RK-1', risk: 'A shelf may be full', severity: 'MEDIUM', mitigation: 'a second one' }],
})

const lines: Line[] = [
  always({ ask: 'phase', phase: '3', round: 1 }, scores(0)),
  always({ ask: 'phase', phase: '3' }, scores(2)),
  always(
    { ask: 'phase', phase: '9' },
    {
      summary: 'Two issues.',
      issues: [
        {
          number: 1,
          title: 'A shelf for each day',
          body: `Small. ${hostile}`,
          acceptance_criteria: [{ id: 'shelved', text: 'A parcel is on the shelf of its day' }],
          depends_on: [],
          size: 'small',
          target_path: 'src/shelf.ts',
          test_path: 'test/shelf.test.ts',
        },
        {
          number: 2,
          title: 'Sorting at the door',
          acceptance_criteria: [{ id: 'sorted', text: 'A parcel is sorted the day it comes' }],
          depends_on: [1],
          size: 'medium',
        },
      ],
    },
  ),
  always(
    { ask: 'phase', phase: '4', attempt: 1, contains: synthesis },
    design([{ id: 'DE-1', decision: 'Parcels wait at the door', confidence: 'LOW' }]),
  ),
  always(
    { ask: 'phase', phase: '4', contains: synthesis },
    design([{ id: 'DE-2', decision: 'Parcels wait on a shelf for each day', confidence: 'HIGH' }]),
  ),
  always(
    { ask: 'phase', contains: synthesis },
    {
      summary: 'As expected.',
      artefact: '## Findings\n\nNothing sorts parcels today.',
      key_decisions: [{ id: 'none', decision: 'Tests come first', confidence: 'MEDIUM' }],
    },
  ),
  silent({ ask: 'phase', phase: '2', contains: 'researcher-risk' }),
  always({ ask: 'phase', phase: '2' }, { output: `Nothing sorts parcels. ${hostile}`, positions: [] }),
  always(
    { ask: 'phase', phase: '4', attempt: 1, contains: 'software-architect-minimal' },
    stands('at the door', 'the driver', 'Leave everything lying where somebody dropped it.'),
  ),
  always(
    { ask: 'phase', phase: '4', attempt: 1, contains: 'software-architect-clean' },
    stands('in a warehouse', 'a printer', 'Conveyor belts, scanners and rooms with climate control throughout.'),
  ),
  always(
    { ask: 'phase', phase: '4', attempt: 1 },
    stands('on a shelf', 'the clerk', 'Cheap furniture against one wall, emptied nightly by hand.'),
  ),
  always({ ask: 'phase', phase: '4' }, stands('on a shelf', 'the clerk', 'One shelf for each day, emptied at night.')),
  silent({ ask: 'review', phase: '6', attempt: 1, contains: 'judge-sceptic' }),
  always(
    { ask: 'review', phase: '6', attempt: 1 },
    { points: 3, out_of: 10, dissent: 'Rain: parcels at the door get wet.' },
  ),
  always({ ask: 'review', phase: '6' }, { points: 9, out_of: 10 }),
  silent({ ask: 'review', phase: '6b', contains: 'security-analyst' }),
  always(
    { ask: 'review', phase: '6b' },
    {
      findings: [
        { severity: 'CRITICAL', confidence: 95, title: 'Nobody locks the shelf', detail: hostile },
        { severity: 'MAJOR', confidence: 90, title: 'The shelf may tip over' },
        { severity: 'MINOR', confidence: 20, title: 'The paint may fade' },
      ],
    },
  ),
  always(
    { ask: 'phase', phase: '6b' },
    {
      points: [{ id: 'a1', settled: true, how: 'The shelf is screwed to the wall.' }],
      documents: [
        {
          file: 'design.md',
          summary: 'A shelf for each day, screwed to the wall.',
          sections: [{ heading: 'Fixing', text: 'Two screws in the wall.' }],
        },
      ],
    },
  ),
  always({ ask: 'review', phase: '9' }, { contradictions: [] }),
  always({ ask: 'review' }, { points: 9, out_of: 10 }),
  always({ ask: 'phase' }, { output: 'One test for each criterion.', positions: [] }),
]
