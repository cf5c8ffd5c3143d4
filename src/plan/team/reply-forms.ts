/** The forms of reply that a plan asks for. A prompt shows only the one that is wanted. */
const issues =
  '{"issues": [{"number", "title", "body", "acceptance_criteria": [{"id", "text", "kind": "new" | "keep" | "review"}], "depends_on": [number], "size": "small" | "medium" | "large", "business_value": 0 to 1, "risk": 0 to 1, "target_path", "test_path", "files": [path], "decisions": [decision id], "interface": code, "tests": [text]}], "summary"?'

export const replyForms = {
  'a view of your own':
    '{"output": Markdown, "positions": [{"question": a choice the plan has to make, "choice": what you would do, in a few words, "confidence": 0 to 1}]}',
  'a synthesis':
    '{"artefact": Markdown with the headings the task names, "summary": two to four sentences for those who come after, "key_decisions": [{"decision", "rationale", "confidence": "HIGH" | "MEDIUM" | "LOW", "supersedes"?: [decision id], "resolves"?: [question or risk id]}], "open_questions": [{"question", "priority": "HIGH" if only the person can answer it and the work depends on it, else "MEDIUM" | "LOW"}], "risks_identified": [{"risk", "severity": "CRITICAL" | "MAJOR" | "MINOR", "mitigation"}], "files_affected"?: [path]}. Convene numbers decisions, questions and risks; do not list again what the accumulated context already has.',
  'findings of a review':
    '{"findings": [{"severity": "CRITICAL" | "MAJOR" | "MINOR", "confidence": 0 to 100, "title", "detail"}]}. CRITICAL: must not be built like this. MAJOR: has to change before it is built. MINOR: worth knowing. 90 and more: shown by the material. 80 to 89: very likely. Below 80: a suspicion; it is kept as advice.',
  'an amendment':
    '{"points": [{"id", "settled": true | false, "how": what changes, or why it cannot be settled, "same_as"?: "a1" if it is about the same matter as that point, "settled_by"?: "P2-1", the decision of the person that answers it already, "question"?: only if nobody but the person can settle it {"text": the question in words that need no id, "options": [{"choice": a few words, "follows": what it means for the plan, "decision": the choice as one sentence of the plan, "held_by": [who says so: agents or files], "as_designed": true for the one that the documents follow now}], "resolves"?: [ids of the open questions and risks that the answer settles]}}], "documents": [{"file", "summary": two to four sentences that are true of it now, "sections": [{"heading", "text": the whole section as it reads now}]}], "key_decisions": [{"decision", "rationale", "confidence": "HIGH" | "MEDIUM" | "LOW", "supersedes"?: [decision id], "resolves"?: [question or risk id]}], "risks_identified": [{"id"?: of an earlier risk that reads differently now, "risk", "severity": "CRITICAL" | "MAJOR" | "MINOR", "mitigation"}]}',
  contradictions:
    '{"contradictions": [{"matter": the question they answer differently, "first": {"where": file or decision id, "says"}, "second": {"where", "says"}}]}',
  'a vote': '{"points": number, "out_of": number, "dissent"?: what you would change before you agree, "reasons"}',
  scores:
    '{"scores": {"value", "scope", "acceptance", "constraints", "risk": each 0, 1 or 2}, "reasons": {dimension: one sentence}, "questions"?: {dimension: [question]}, "research"?: {"edge_case", "error_condition", "related_feature", "system", "unknown", "risk": each a few words on this project, if you write no questions}, "answered"?: [{"question": id of an open question or a risk, "by": id of the answer that settles it}]}. If the total does not pass, "questions" has two or three on the weakest dimension (of equals: one with an open question or unknown, else acceptance, constraints, scope, risk, value), to be answered in a sentence, in the project\'s own files, names, rules. Nothing that was answered.',
  'an alignment of positions':
    '{"questions": [{"question", "options": [{"choice", "positions": ["p1"], "follows"?, "decision"?: the choice as one sentence of the plan}], "settled_by"?: "s1", "internal"?: true if no user of the product would notice which is taken}], "alone": ["p2"]}',
  'groups of findings': '{"same": [["f1", "f3"]]}',
  'weighed findings': '{"findings": [{"id": "f1", "severity": "CRITICAL" | "MAJOR" | "MINOR" | "NONE", "reason"}]}',
  issues: `${issues}}`,
  'issues and contradictions': `${issues}, "contradictions": [{"matter", "first": {"where": file or decision id, "says"}, "second": {"where", "says"}}] for statements of the plan that cannot both hold}`,
} as const

export type ReplyForm = keyof typeof replyForms
