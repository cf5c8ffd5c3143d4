/** The implementer's task: make the tests pass without changing them. On a small spec, one agent writes everything. */
import { againPart, specPart } from './spec-part.ts'

const exits = `- {"TestsPassed": {"summary": the commit message: at most 60 characters, a blank line, then why}}
- {"RequestRetry": {"diagnosis", "strategyFrom", "strategyTo", "failingTests": [name]}} to try another way; your files are kept.
- {"BlockedDependency": {"missingSymbol", "expectedImportPath"}} if code is missing that should exist.
- {"SpecAmbiguity": {"specSentence", "contradictionTrace", "question"}} if spec or tests contradict each other.
- {"Stuck": {"diagnosis", "recommendation", "attempts"}}`

/** Shown once a conversation: later tasks of this kind refer to it. */
const exitsPart = `{% if told %}
End with one of the same exits as before.
{% else %}
Exits:
${exits}
{% endif %}`

const critiquesPart = `{% if critiques or additional %}

The review asks for this:
{% for critique in critiques or [] %}
- {{ critique.file }}{% if critique.line %}:{{ critique.line }}{% endif %}: {{ critique.issue }}{{ " → " + critique.requiredFix if critique.requiredFix else "" }}
{% endfor %}
{% for test in additional or [] %}
- a test for {{ test.criterionId }}: {{ test.plannedTestName }} ({{ test.approach }})
{% endfor %}
{% if passedAtOnce %}
These tests that it asked for pass on the code as it is:{% for one in passedAtOnce %} \`{{ one }}\`{% endfor %}

{% endif %}
If a point is wrong, leave the code and say why in "objection"; the summary stays about the whole change.
{% endif %}`

export const implement = `# Implement {{ spec.id }}

${specPart}

Interface: \`{{ scaffold.interfaceFile }}\`: signatures and exports stay, but may take more{{ ", except where the review wants them changed in a file that it names" if critiques }}; add exports only where tests need them.
Tests to pass: {{ testFiles | join(", ") if testFiles else "those of the project" }}{{ "; and the contract suite " + scaffold.contractSuite if scaffold.contractSuite else "" }}.
{% if criteria %}
Criteria to meet: {{ criteria | join(", ") }}.
{% endif %}
{% if takenOver %}
These criteria were given to a part that failed, and fall to you: {{ takenOver | join(", ") }}.
{% endif %}
{% if children %}

Parts that are merged already; use them, do not write them again:
{% for child in children %}
- {{ child.id }}: {{ child.symbols | join(", ") if child.symbols else "no exports" }}
{% endfor %}
{% endif %}
${critiquesPart}
{% if not told %}

Meet the criteria, not the tests alone, and run the tests. Touch neither them nor what runs them, and break none that passes now.
{% endif %}

${exitsPart}
${againPart}`

export const implementAlone = `# Build {{ spec.id }}

${specPart}
${critiquesPart}

{% if not told %}
Write at least one test for each criterion, under \`{{ spec.testPath }}\`, with the criterion's id in its name. The tests are also run without your code: there they must fail. Only a test of a criterion that holds already must pass there too: criteria marked keep, and those you list in TestsPassed as "keep": [{"criterionId", "reason"}]. What only a reader can check (documents, types) needs none if it is marked review, or if you list it as "review" in the same way. Then write the code that makes them pass, and run them. Tests and snapshots that were there before stay as they are, unless a new criterion contradicts them: list these as "outdated": [{"criterionId", "test", "reason"}]. Nothing may be left unfinished: a function that only says it is not implemented is sent back, and so is an import of what could harm the machine it runs on.

{% endif %}
${exitsPart}
${againPart}`
