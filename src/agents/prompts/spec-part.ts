/** What to build: every task about a node begins with this part. A tag alone on its line leaves no empty line. */
export const specPart = `Spec \`{{ spec.id }}\`: {{ spec.description }}

Acceptance criteria:
{% for criterion in spec.acceptanceCriteria %}
- {{ criterion.id }}: {{ criterion.text }}
{% endfor %}

{% if spec.complexityConstraints and spec.complexityConstraints.time %}
Time must stay within {{ spec.complexityConstraints.time }}.
{% endif %}
{% if spec.complexityConstraints and spec.complexityConstraints.space %}
Space must stay within {{ spec.complexityConstraints.space }}.
{% endif %}
Code goes to \`{{ spec.targetPath }}\`, tests to \`{{ spec.testPath }}\`.`

/** Why the task is repeated, and a person's guidance. Every task ends with this part, since it changes most. */
export const againPart = `{% if attempts %}

This is attempt {{ attempt }} of {{ attempts }}.{{ " It is the last one: succeed, or say plainly why it cannot be done." if lastAttempt else "" }}
{% endif %}
{% if refusals %}

Your last reply was checked and does not hold; your files are back as they were before it:
{% for problem in refusals %}
- [{{ problem.rule }}] {% if problem.path %}{{ problem.path }}: {% endif %}{{ problem.message }}
{% endfor %}
{% endif %}
{% if reason %}

{{ reason }}
{% endif %}
{% if guidance %}

Said about this by a person, or by the work it is part of: {{ guidance }}
{% endif %}
{% if reminder %}

REMINDER: there was no sign of you for a while. Finish this task now with one of its exits.
{% endif %}`
