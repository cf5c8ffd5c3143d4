/** The test author's task: write failing tests for every criterion that has none. */
import { againPart, specPart } from './spec-part.ts'

export const writeTests = `# Write the tests of {{ spec.id }}

${specPart}

Interface: \`{{ scaffold.interfaceFile }}\`.{{ " Contract suite: " + scaffold.contractSuite + "." if scaffold.contractSuite else "" }}

Planned tests:
{% for test in plan %}
- {{ test.criterionId }}{{ " (keep)" if test.criterionId in keep else "" }}: \`{{ test.plannedTestName }}\` ({{ test.approach }})
{% endfor %}
{% if plan | length == 0 %}
- {{ "none beside those that exist" if covered else "none: every criterion is given to a part or to the reviewer" }}
{% endif %}
{% if covered %}

Already covered: {{ covered | join(", ") }}.
{% endif %}

{% if told %}
End with one of the same exits as before.
{% else %}
Write all of them now, one criterion a test, through the public interface only; an existing test file may be used. On the code as it is each must fail because the code is missing (an assertion, something not implemented, a missing export); tests of criteria to keep must pass. If a criterion holds already, list it in "keep". Write no test that only searches a document or a declaration for words: list such a criterion in "review", and the reviewer checks it. Change only test files and what helps them, not the contract suite.

Exits:
- {"TestsReady": {"testFiles": [path], "tests"?: [{"criterionId", "testName"}] where a test has another name than planned, "keep"?: [{"criterionId", "reason"}], "review"?: [{"criterionId", "reason"}]}}
- {"InvalidScaffold": {"missingType": name, "expectedLocation": path}} if the interface lacks something that a test needs.
{% endif %}
${againPart}`
