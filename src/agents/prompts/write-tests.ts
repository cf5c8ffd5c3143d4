/** The test author's task: write failing tests for every criterion that has none. */
import { againPart, specPart } from './spec-part.ts'

export const writeTests = `# Write the tests of {{ spec.id }}

{% if not told %}
You write the tests that the implementation will have to pass.

{% endif %}
${specPart}

Interface: \`{{ scaffold.interfaceFile }}\`. Contract suite: \`{{ scaffold.contractSuite }}\`.

Planned tests:
{% for test in plan %}
- {{ test.criterionId }}: \`{{ test.plannedTestName }}\` ({{ test.approach }})
{% endfor %}
{% if not plan %}
- none: every criterion was given to a part
{% endif %}
{% if covered %}

Already covered: {{ covered | join(", ") }}.
{% endif %}

{% if told %}
End with one of the same exits as before.
{% else %}
Write all of them in one go, under exactly these names, one criterion a test, through the public interface only. They are run on the scaffold before anything is implemented: each must run and fail there, by an assertion or because something is not implemented, and not by a broken import of its own. Change test files, and what helps them, only: neither code nor the contract suite.

Exits:
- {"TestsReady": {"testFiles": [path], "pendingCriteria": [criterion id]}}
- {"InvalidScaffold": {"missingType": name, "expectedLocation": path}} if the interface lacks something that a test needs.
{% endif %}
${againPart}`
