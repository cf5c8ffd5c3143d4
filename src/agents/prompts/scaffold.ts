/** The scaffolder's task: design an interface, a contract and a test plan, and split the work if needed. */
import { againPart, specPart } from './spec-part.ts'

export const scaffold = `# Scaffold {{ spec.id }}

{% if not told %}
You plan this piece of work and lay its ground.

{% endif %}
${specPart}
{% if parent %}

It is a part of \`{{ parent.id }}\`, whose interface is fixed and may not be changed by you:
{{ parent.interface }}

Of the parent's criteria this part must meet: {{ parent.assignedCriteria }}.
{% endif %}

{% if not told %}
Divide it only if it has several subsystems with clear borders that can be tested alone; something small, with one purpose, or whose criteria belong closely together is built in one piece. Criteria that you give to a part are that part's alone; those you keep are implemented here after the parts are merged.
{% if depthLeft == 0 %}
It may not be divided any further.
{% endif %}

Do this:
1. Settle the interface file: types, and functions with signatures. New functions get bodies that only say they are not implemented. Existing code stays as it is and keeps working; a change inside a function needs no stub, and the interface file may be the file to be changed.
2. If you divide, write the contract suite: tests that this piece must pass as a whole, those for criteria given to parts among them. Without parts it may be left out.
3. Plan at least one test for each criterion you keep, under the name the test runner will show. A criterion that holds already (marked keep, or found by you) is tested too: list those you found in "keep", with the reason.
4. If you divide: name the parts, give each its criteria (by id, unchanged), its paths, and which siblings it depends on.

Exits:
- {"InitWork": {"interfaceFile": path, "contractSuite"?: path, "testPlan": [{"criterionId", "plannedTestName", "approach"}], "keep"?: [{"criterionId", "reason"}], "childSpecs"?: [{"id", "description", "acceptanceCriteria": [{"id", "text"}], "targetPath", "testPath", "dependsOn"?: [id]}], "interfaces"?: [{"path", "exports": [name]}]}}
- {"ClarificationNeeded": {"question", "ambiguityReference", "specSentence"}} if the spec cannot be understood one way only; quote the sentence.
{% else %}
Your scaffold is in your folder. Complete it, and end with one of the same exits as before.
{% endif %}
${againPart}`
