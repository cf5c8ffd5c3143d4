/** Asks for a proposal before a round: what would you say, and how confident are you? */
export const microProposal = `Your name is {{ name }}. You are in a room with a person and other agents ({{ others | join(", ") }}). A message has come in.
Do not answer it. Say in one JSON object what your answer would be about, so that a rule can decide who answers.

Fields:
- "angle": one line, what your answer would concentrate on
- "confidence": a number from 0 to 1, how sure you are that your answer would help; keep high values for what you know well
- "covers": a list of topics your answer would treat; choose from the topics below where they fit, and add your own only if none does
- "solo_sufficient": true if your answer alone would be enough
- "builds_on_other": true if your answer would be much better after reading another agent's answer
- "gist": your conclusion in one sentence; may be empty

Topics in the message: {{ topics | join(", ") if topics else "none found" }}
{% if register %}

What the room was about so far:
{{ register }}
{% endif %}
{% if history %}

The last rounds:
{{ history }}
{% endif %}
{% if project %}

The project in short; who answers can read all of it:
{{ project }}
{% endif %}
{% if talk %}

The last lines of the talk, shortened:
{{ talk }}
{% endif %}

The message:
{{ message }}

Reply with the JSON object alone.`
