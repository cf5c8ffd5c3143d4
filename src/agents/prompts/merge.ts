/** The merger's and the rebaser's tasks, for conflicts and failing tests that git cannot resolve. */
import { againPart } from './spec-part.ts'

export const merge = `# Merge {{ spec.id }} into {{ parent }}

The work on \`{{ spec.id }}\` is approved, but merged into \`{{ parent }}\` it does not hold:
{{ details }}
{% if failingTests %}
Failing: {{ failingTests | join(", ") }}.
{% endif %}

Your working folder holds the merged tree. If the pieces only have to be joined, join them here. Tests and interfaces stay as they are.

Exits:
- {"MergeComplete": {}} once the merged tree builds and its tests pass.
- {"MergeRejected": {"reason": "ContractViolation" | "BuildFailure" | "IntegrationFailure", "details", "failingTests": [name]}}: it goes back to its implementer.
${againPart}`

export const rebase = `# Rebase {{ spec.id }}

A sibling's work was merged while yours was under way. The sibling's is canon, yours is a draft: yours adapts.

Merged by {{ event.author }}, impact {{ event.impactLevel }}:
{% for change in event.changes %}
- {{ change.symbol }} ({{ change.changeType }}): {{ change.reason }}
{% endfor %}
{% if event.changes | length == 0 %}
- nothing that others can see by name
{% endif %}
{% if conflicts %}

Git could not join these files; they hold conflict markers now: {{ conflicts | join(", ") }}.
{% endif %}

Your working folder holds your work on top of the sibling's. Allowed are mechanical edits alone: imports, renamed symbols, changed signatures with the same logic. Calls of what the sibling renamed or gave another signature may be fitted to it: arguments moved, named, gathered or left out, or plain values added. Bodies of functions, control flow and logic may not change: a check on the syntax trees refuses that. Where logic has to change, end with RebaseConflict; the work then goes back to its scaffold and is planned again.

Exits:
- {"RebaseClean": {}} if nothing had to be changed.
- {"RebaseAdapted": {"adaptations": [{"symbol", "change", "reason"}]}}
- {"RebaseConflict": {"conflictFile", "ourChange", "theirChange", "whyUnresolvable"}}
${againPart}`
