/** Asks for the summary of a long room's earlier talk, which agents read instead of it. */
export const roomSummary = `A person and several agents ({{ agents | join(", ") }}) talk in a room. The talk has become too long to be shown to the agents in full.
Write the summary that they will read instead of the messages below{% if summary %} and of the earlier summary{% endif %}.

Keep what later answers need: what the person wants and has decided, in the person's own words where they are short; facts, names, numbers, files and code that were agreed on; who holds which view where views differ; questions that are still open. Leave out greetings, repetitions and what was withdrawn.
At most 400 words, plain sentences or short lists, no heading. Write nothing but the summary.
{% if summary %}

The earlier summary:
{{ summary }}
{% endif %}

The messages, oldest first:
{% for line in lines %}
[{{ line.from }}] {{ line.text }}
{% endfor %}`
