/** The scaffolder's task: design an interface, a contract and a test plan, and split the work if needed. */
import { againPart, specPart } from './spec-part.ts'

export const scaffold = `# Scaffold {{ spec.id }}

{% if not told %}
You plan this piece of work and settle its interface.

{% endif %}
${specPart}
{% if parent %}

It is a part of \`{{ parent.id }}\`, whose interface is fixed and may not be changed by you:
{{ parent.interface }}

Of the parent's criteria this part must meet: {{ parent.assignedCriteria }}.
{% endif %}

{% if not told %}
Divide it only if it has several subsystems that can be tested alone; what stays under 500 lines or has one purpose is built in one piece. Criteria that you give to a part are that part's alone; those you keep are implemented here after the parts are merged.
{% if depthLeft == 0 %}
It may not be divided any further.
{% endif %}

Do this:
1. Write the interface file, which may be the file to be changed: types and signatures. New functions get bodies that only say they are not implemented; existing code keeps working and needs no stub.
2. Plan at least one test for each criterion you keep, under the name the test runner will show. A criterion that holds already is tested too: list those you found in "keep". What no test can check (what a document says, what a type declares) needs none: list it in "review", and the reviewer checks it.
3. If you divide: write the contract suite (tests of the whole, with those for criteria given to parts; otherwise optional), name the parts, and give each its criteria (by id, unchanged), its paths and the siblings it depends on.

Exits:
- {"InitWork": {"interfaceFile": path, "contractSuite"?: path, "testPlan": [{"criterionId", "plannedTestName", "approach"}], "keep"?: [{"criterionId", "reason"}], "review"?: [{"criterionId", "reason"}], "childSpecs"?: [{"id", "description", "acceptanceCriteria": [{"id", "text"}], "targetPath", "testPath", "dependsOn"?: [id]}], "interfaces"?: [{"path", "exports": [name]}]}}
- {"ClarificationNeeded": {"question", "ambiguityReference", "specSentence"}} if the spec cannot be understood one way only; quote the sentence.
{% else %}
Your scaffold is in your folder. Complete it, and end with one of the same exits as before.
{% endif %}
${againPart}`
