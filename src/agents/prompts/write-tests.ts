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

{% if reviewed %}
The reviewer checks {{ reviewed | join(", ") }}; what they ask of test files, such as a test of types, only you may write.

{% endif %}
{% if told %}
You may replace your earlier tests; each criterion keeps one. End with TestsReady or InvalidScaffold, as before.
{% else %}
Write all of them, one criterion a test, through the public interface only, also in existing test files, whose tests keep what they say. Now each must fail because code is missing (an assertion, something not implemented, a missing export); tests of criteria to keep must pass. List a criterion that holds already in "keep", one for readers alone (documents, types) in "review": no test searches a text for words. Change only test files and what helps them{{ ", not the contract suite" if scaffold.contractSuite and scaffold.contractSuite != spec.testPath else "" }}.

Exits:
- {"TestsReady": {"testFiles": [path], "tests"?: [{"criterionId", "testName"}] where a name differs from the plan, "keep"?, "review"?: [{"criterionId", "reason"}]}}
- {"InvalidScaffold": {"missingType": name, "expectedLocation": path}} if the interface lacks what a test needs.
{% endif %}
${againPart}`
