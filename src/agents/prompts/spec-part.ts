/** What to build. A task leaves it out if the conversation has it already (`known`). A tag alone on its line leaves no empty line. */
export const specPart = `{% if known %}
The spec is above.
{% else %}
Spec \`{{ spec.id }}\`: {{ spec.description }}

Acceptance criteria:
{% for criterion in spec.acceptanceCriteria %}
- {{ criterion.id }}{{ " (" + criterion.kind + ")" if criterion.kind == "keep" or criterion.kind == "review" else "" }}: {{ criterion.text }}
{% endfor %}

{% if spec.complexityConstraints and spec.complexityConstraints.time %}
Time must stay within {{ spec.complexityConstraints.time }}.
{% endif %}
{% if spec.complexityConstraints and spec.complexityConstraints.space %}
Space must stay within {{ spec.complexityConstraints.space }}.
{% endif %}
Code goes to \`{{ spec.targetPath }}\`, tests to \`{{ spec.testPath }}\`.
{% if spec.context %}

Context:
{{ spec.context }}
{% endif %}
{% endif %}`

/** The spec alone: the conversation of the test author and the implementer begins with it (GR9). */
export const specMessage = `# {{ spec.id }}

${specPart}`

/** Why the last reply was refused. */
const refusedPart = `{% if refusals %}

Your last reply was checked and does not hold:
{% for problem in refusals %}
- [{{ problem.rule }}] {{ problem.text }}
{% endfor %}
{% if seen %}

What was run:
{{ seen }}
{% endif %}

{% if putBack %}
Put back, because you may not change them: {{ putBack | join(", ") }}. Your other files are as you left them.
{% else %}
Your files are as you left them.
{% endif %}
{% endif %}
{% if reason %}

{{ reason }}
{% endif %}
{% if unreliable %}

These tests pass and fail on the same code, so they refuse nothing; leave them alone: {{ unreliable | join(", ") }}.
{% endif %}
{% if answered %}

{{ answered }}
{% endif %}
{% if guidance %}

{{ guidance }}
{% endif %}`

/** The attempt, why the task is repeated, and what others say about it. Every task ends with this part, since it changes most. */
export const againPart = `{% if attempts %}

{% if attempt > attempts %}
All {{ attempts }} attempts are used; since the work came back, you have one more.
{%- else %}
This is attempt {{ attempt }} of {{ attempts }}{{ " since a person answered, after " + earlier + " earlier" if earlier else "" }}.
{%- endif %}{{ " It is the last one: succeed, or say plainly why it cannot be done." if lastAttempt else "" }}
{% endif %}
{% if history %}

Your earlier attempts; their files are in your folder:
{{ history }}
{% endif %}
${refusedPart}
{% if allowed %}

A person allowed this work to edit, beside what it may edit anyway: {{ allowed | join(", ") }}.
{% endif %}`

/** The next message to an agent whose reply was refused, in the same conversation. */
export const followUp = `# {{ spec.id }}: attempt {{ attempt }} of {{ attempts }}{{ " since a person answered, after " + earlier + " earlier" if earlier else "" }}
{% if lastAttempt %}

It is the last one: succeed, or say plainly why it cannot be done.
{% endif %}
${refusedPart}

Put this right, then end the task with one of {{ exits | join(", ") }}.`
