/** The reviewer's task: judge an implementation whose tests Convene has seen pass. */
import { againPart, specPart } from './spec-part.ts'

export const reviewImpl = `# Review the implementation of {{ spec.id }}

Its tests pass in a clean checkout of \`{{ commit[:10] }}\`.

{% if sensitive %}
Look at these first: the work changes paths that run or instruct programs. Reject what the spec does not ask for.
{{ sensitive }}

{% endif %}
${specPart}

Tests that ran and passed:
{% for name in passed %}
- \`{{ name }}\`
{% endfor %}
{% if passed | length == 0 %}
- (no new test is known by its name; the test command ended without an error)
{% endif %}

{% if passedBefore %}
Not red before the code, since another test of their criterion failed, or the scaffold brings what they check:{% for name in passedBefore %} \`{{ name }}\`{% endfor %}

{% endif %}
{% if kept %}
Said to hold already, so that its tests did not have to fail first; disagree if that is wrong:
{% for one in kept %}
- {{ one.criterionId }}: {{ one.reason }}
{% endfor %}

{% endif %}
{% if outdated %}
These tests were there before, and their old version fails with this work. Its author says that a criterion demands that; approve only if it really does, and if nothing else about them changed:
{% for one in outdated %}
- {{ one.test }} ({{ one.criterionId }}): {{ one.reason }}
{% endfor %}

{% endif %}
{% if changedTests %}
Tests that were there before and read otherwise now; approve only if they still check all they did:{% for title in changedTests %} \`{{ title }}\`{% endfor %}

{% endif %}
{% set decided = newAnswers if told else answers %}
{% if decided %}
A person has decided about this work; it stands beside the spec:
{% for one in decided %}
- {{ one }}
{% endfor %}

{% endif %}
{% if reviewed %}
No test checks what follows, and none has to. If a test could, ask for it; else read the work, and say in Approved what you saw: "checked": [{"criterionId", "finding": where it is met}].
{% for one in reviewed %}
- You check this one: {{ one.id }}: {{ one.text }}{{ " (" + one.reason + ")" if one.reason else "" }}
{% endfor %}

{% endif %}
{% if unnoticed %}
Convene changed the new code in small ways and ran its tests again. {{ "The tests are weak: they noticed none of the changes, and pass with each of them. Ask for tests that fail on these, unless no criterion is about that code:" if unnoticed[0].none else "No new test noticed this; judge whether a criterion is untested because of it:" }}
{% for one in unnoticed %}
- {{ one.file }}:{{ one.line }}: {{ one.change }}
{% endfor %}

{% endif %}
{% if examples %}
No test holds these examples of the criteria:
{% for one in examples %}
- {{ one.criterionId }}: {{ one.example }}
{% endfor %}

{% endif %}
{% if noticed %}
The tests noticed {{ noticed }} of {{ noticed }} small changes of the code.

{% endif %}
{% if untried %}
The tests were not tried on small changes of the code: {{ untried }}.

{% endif %}
{% if refused %}
Earlier attempts at this code that checks refused, oldest first:
{{ refused }}

{% endif %}
{% if unchanged %}
After your last review the test author changed no test.

{% endif %}
\`\`\`diff
{{ diff.rstrip() }}
\`\`\`
{% if diffCut %}
(The diff is longer; read the rest in the files.)
{% endif %}

{% if general %}
{{ general | join(", ") }} speak{{ "s" if general | length == 1 else "" }} of all values. The tests use{{ ":" if inputs else " inputs that could not be read." }}{% for one in inputs %} \`{{ one }}\`{% endfor %}

For each, trace by hand an input of another kind (remainder, sign, length, case) that no test uses. Approved then needs "untested": [{"criterionId", "input", "expected": by the criterion, "actual": by the code}], as values (a text in quotes); if the two differ the work goes back. If the tests use all the values there are, say so instead: "exhausted": [{"criterionId", "reason"}].

{% endif %}
{% if asked %}
{{ "Your approval did not count, and this was asked for:" if overruled else "The last review asked for this:" }}
{% for one in asked %}
- {{ one }}
{% endfor %}
{% if passedAtOnce %}
These tests that it asked for passed at once, on the code that you saw:{% for one in passedAtOnce %} \`{{ one }}\`{% endfor %}

{% endif %}
{% for one in objections or [] %}
{{ one }}
{% endfor %}

{% endif %}
{% if told %}
{{ "Is that done now, and does everything else still hold?" if asked else "Does the code still meet each criterion?" }} You change no files. End with Approved, MoreTests or Reject, as before.
{% else %}
Would each test fail if the code did something else than its criterion says? Send back one that looks only at the beginning of an exact text, or repeats the code.

Does the code meet each criterion, also where no test looks?{{ " Does it follow the decisions of the context?" if spec.context else "" }} Is it easy to read, safe in its imports, and finished? You change no files.

Exits:
- {"Approved": {"signOff": one sentence, "coverageReport": {"criteriaWithTests": [[criterion id, test name]]}{{ ', "checked"' if reviewed }}{{ ', "untested" or "exhausted"' if general }}}}
- {"MoreTests": {"critiques": [{"file", "line", "issue", "requiredFix"}], "additionalTests": [{"criterionId", "plannedTestName", "approach"}]}}
- {"Reject": {"reason", "missingCriteria": [criterion id]}} if it is wrong from the ground up.
{% endif %}
${againPart}`

export const judgeChild = `# Judge {{ child.id }}, a part of {{ spec.id }}

The part \`{{ child.id }}\` ({{ child.description }}) has been merged into your work. You gave it these criteria:
{% for criterion in child.acceptanceCriteria %}
- {{ criterion.id }}: {{ criterion.text }}
{% endfor %}

What it changed:
\`\`\`diff
{{ diff.rstrip() }}
\`\`\`
{% if diffCut %}
(The diff is longer.)
{% endif %}

Does it meet these criteria, and does it fit the interface and the other parts? You change no files.

Exits:
- {"Approved": {"signOff": one sentence}}
- {"MoreTests": {"critiques": [{"file", "line", "issue", "requiredFix"}], "additionalTests": [{"criterionId", "plannedTestName", "approach"}]}}: it goes back to its test author.
- {"Reject": {"reason", "missingCriteria": [criterion id]}}
${againPart}`

export const childFailed = `# {{ child.id }}, a part of {{ spec.id }}, has failed

The part \`{{ child.id }}\` ({{ child.description }}) could not be finished. Its criteria:
{% for criterion in child.acceptanceCriteria %}
- {{ criterion.id }}: {{ criterion.text }}
{% endfor %}

What happened: {{ failure }}

Decide what becomes of it:
- {"Retry": {"reason": what should be done differently}}: it is tried again, on what was accepted of it.
- {"TakeOver": {"reason"}}: its criteria fall to you: your test author tests them and your implementer meets them.
- {"Drop": {"criteria"?: [id], "reason"}}: these criteria are given up.
- {"Escalate": {"reason"}}: a person decides.
${againPart}`
