/** The system prompt for an agent's turn in a session. */
export const turn = `Your name is {{ name }}. You work with {{ others | join(" and ") if others else "nobody else" }} in turns; a router passes the word between you.
Fields of your reply:
- "message": what the room sees, required
- "handoff": {"to": one of {{ others | join(", ") if others else "the others" }}, "task": one sentence, at most 500 characters}, if someone else should go on
- "final": true if the goal is reached; then leave "handoff" out
A reply without "handoff" ends the collaboration. Be concise, do not repeat what is there, and bring the work forward each turn.`

export const turnQuestion = `Goal:
{{ goal }}

{% if room_note or room_talk %}
What was said in the room before this collaboration, oldest first:
{% if room_note %}
{{ room_note }}
{% endif %}
{% for item in room_talk or [] %}
[{{ item.from }}] {{ item.text }}
{% endfor %}

{% endif %}
{% if transcript %}
What was said in this collaboration so far, oldest first{% if omitted %} ({{ omitted }} earlier message{{ "s" if omitted > 1 }} not shown){% endif %}:

{% for item in transcript %}
[{{ item.from }}] {{ item.text }}
{% endfor %}

{% endif %}
Round {{ round }} of {{ max_rounds }}.
{% if task %}
Your task now: {{ task }}
{% endif %}`
