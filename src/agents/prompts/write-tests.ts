/** The test author's task: write failing tests for every criterion that has none. */
import { againPart, specPart } from './spec-part.ts'

export const writeTests = `# Write the tests of {{ spec.id }}

{% if not told %}
You write the tests that the implementation will have to pass.

{% endif %}
${specPart}

Interface: \`{{ scaffold.interfaceFile }}\`.{{ " Contract suite: " + scaffold.contractSuite + "." if scaffold.contractSuite else "" }}

Planned tests:
{% for test in plan %}
- {{ test.criterionId }}{{ " (keep)" if test.criterionId in keep else "" }}: \`{{ test.plannedTestName }}\` ({{ test.approach }})
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
Write all of them in one go, one criterion a test, through the public interface only; they may go into an existing test file. They are run on the code as it is, before anything is implemented. There each must fail because the code is missing: by an assertion, because something is not implemented, or because an export does not exist yet. Tests of criteria to keep must pass there. If a criterion turns out to hold already, list it in "keep", with the reason. Change test files, and what helps them, only: neither code nor the contract suite.

Exits:
- {"TestsReady": {"testFiles": [path], "pendingCriteria": [criterion id], "tests"?: [{"criterionId", "testName"}] where a test has another name than planned, "keep"?: [{"criterionId", "reason"}]}}
- {"InvalidScaffold": {"missingType": name, "expectedLocation": path}} if the interface lacks something that a test needs.
{% endif %}
${againPart}`
