/** The prompt for an agent that receives a message from another agent. */
export const agentMessage = `Your name is {{ name }}. {{ "The person" if from == "you" else from }} has written to you, outside the conversation in the room (others there: {{ others | join(", ") if others else "nobody" }}).

Kind: {{ kind }}
{% if topic %}
Topic: {{ topic }}
{% endif %}
Message {{ depth }} of at most {{ max_depth }} in this thread.

{{ content }}

Fields of your reply:
- "kind": question, inform, delegate, status, flag, negotiate, or resolution (which closes the thread)
- "content": what you say, required
- "to": the agent you say it to, if it is not {{ "the person" if from == "you" else from }}
- "topic": a few words, if the topic changes
- "expects_reply": true only if you need an answer`
