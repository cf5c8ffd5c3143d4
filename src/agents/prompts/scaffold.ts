/** The scaffolder's task: design an interface, a contract and a test plan, and split the work if needed. */
import { againPart, specPart } from './spec-part.ts'

export const scaffold = `# Scaffold {{ spec.id }}

${specPart}
{% if parent %}

It is a part of \`{{ parent.id }}\`, whose interface is fixed and may not be changed by you:
{{ parent.interface }}

Of the parent's criteria this part must meet: {{ parent.assignedCriteria }}.
{% endif %}

{% if not told %}
Divide it only into subsystems that can be tested alone; what has one purpose or stays under 500 lines is built in one piece. What no part gets is implemented here, after them.
{% if depthLeft == 0 %}
It may not be divided any further.
{% endif %}

1. Write the interface file, which may be the file to change{{ ", or name the parent's if nothing is to be added" if parent }}: types and signatures. Bodies of new functions only say that they are not implemented; existing code keeps working.
2. Plan a test or more for each criterion you keep, under the name the runner will show. List one that holds already in "keep" (it is tested too), one that only a reader can check (documents, types) in "review".
3. If you divide: write the contract suite (tests of the whole, criteria of parts included; otherwise optional), and give each part its criteria (by id, unchanged), paths and the siblings it depends on.

Exits:
- {"InitWork": {"interfaceFile": path, "contractSuite"?: path, "testPlan": [{"criterionId", "plannedTestName", "approach"}], "keep"?, "review"?: [{"criterionId", "reason"}], "childSpecs"?: [{"id", "description", "acceptanceCriteria": [{"id", "text"}], "targetPath", "testPath", "dependsOn"?: [id]}], "interfaces"?: [{"path", "exports": [name]}]}}
- {"ClarificationNeeded": {"question", "ambiguityReference", "specSentence"}} if the spec can be read in several ways.
{% else %}
Your scaffold is in your folder. Complete it, and end with one of the same exits as before.
{% endif %}
${againPart}`
