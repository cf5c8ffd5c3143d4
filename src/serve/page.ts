/** The page at `/`: one room, who is in it, and what is said there, as it is said. */
export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Convene</title>
<style>
:root { --bg:#fbfbfa; --panel:#fff; --line:#e6e5e1; --ink:#1c1b19; --ink-2:#5b5953; --accent:#4a4ae0; --warn:#8a5200; --warn-soft:#fdf1dc; color-scheme:light dark }
@media (prefers-color-scheme: dark) { :root { --bg:#141413; --panel:#1b1b19; --line:#2e2d2a; --ink:#efede8; --ink-2:#b1aea5; --accent:#8f8ff5; --warn:#f0b04e; --warn-soft:#36280f } }
* { box-sizing:border-box }
body { margin:0; background:var(--bg); color:var(--ink); font:14px/1.5 Inter,ui-sans-serif,system-ui,sans-serif; min-height:100vh; display:flex; flex-direction:column }
header, main, form { width:100%; max-width:760px; margin:0 auto; padding:0 20px }
header { padding-top:28px }
h1 { font-size:20px; margin:0 }
header p { margin:2px 0 16px; color:var(--ink-2) }
#rehearsal { background:var(--warn-soft); color:var(--warn); border-radius:10px; padding:10px 14px; margin-bottom:16px }
main { flex:1 }
article { background:var(--panel); border:1px solid var(--line); border-radius:10px; padding:10px 14px; margin-bottom:10px; overflow-wrap:anywhere; white-space:pre-wrap }
article.mine { margin-left:15% }
article b { display:block; font-weight:600 }
article small { color:var(--ink-2); font-weight:400; margin-left:6px }
#empty { color:var(--ink-2) }
form { display:flex; flex-wrap:wrap; gap:8px; padding-top:12px; padding-bottom:24px; position:sticky; bottom:0; background:var(--bg) }
textarea { flex:1 1 100%; min-height:60px; resize:vertical }
textarea, select, button { font:inherit; color:inherit; background:var(--panel); border:1px solid var(--line); border-radius:8px; padding:8px 10px }
button { background:var(--accent); border-color:var(--accent); color:#fff; cursor:pointer; margin-left:auto }
:focus-visible { outline:2px solid var(--accent); outline-offset:2px }
#problem { flex:1 1 100%; color:#c4352b; min-height:1.5em; margin:0 }
</style>
</head>
<body>
<header><h1>Convene</h1><p>Several agents, one piece of work.</p><div id="rehearsal" hidden></div></header>
<main aria-live="polite"><p id="empty">Ask one of the agents something. The answer streams in here, and stays.</p></main>
<form>
<textarea name="text" aria-label="Your message" placeholder="Ask something (Ctrl-Enter sends)" required></textarea>
<label>to <select name="target" aria-label="Agent"></select></label>
<button>Send</button>
<p id="problem" role="alert"></p>
</form>
<script type="module">
const api = async (path, body) => {
  const response = await fetch('/api' + path, body ? { method: 'POST', body: JSON.stringify(body) } : {})
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error.message)
  return answer
}
const [main, form, problem] = ['main', 'form', '#problem'].map((selector) => document.querySelector(selector))
const drafts = new Map()
const show = (who, text, mine, note) => {
  document.querySelector('#empty')?.remove()
  const article = document.createElement('article')
  const name = document.createElement('b')
  name.textContent = who
  if (note) name.append(Object.assign(document.createElement('small'), { textContent: note }))
  article.className = mine ? 'mine' : ''
  const words = document.createElement('span')
  words.textContent = text
  article.append(name, words)
  main.append(article)
  article.scrollIntoView({ block: 'end' })
  return { article, words }
}
const { agents } = await api('/agents')
const rehearsing = agents.filter((agent) => agent.rehearsal).map((agent) => agent.name)
if (rehearsing.length > 0) {
  const banner = document.querySelector('#rehearsal')
  banner.textContent = 'Rehearsal: ' + rehearsing.join(' and ') + ' play a script; no model is asked. Run “convene init” in your project to connect real agents.'
  banner.hidden = false
}
form.target.append(...agents.map((agent) => new Option(agent.name)))
const { rooms } = await api('/rooms')
const room = rooms[0] ?? (await api('/rooms', { name: 'First room' }))
const source = new EventSource('/api/events?after=0&room=' + room.id)
source.addEventListener('message', ({ data }) => {
  const event = JSON.parse(data)
  if (event.type === 'message.posted') show('you', event.data.text, true, 'to ' + event.data.target)
  if (event.type === 'notice.posted') show('router', event.data.text, false)
  if (event.type === 'reply.posted') {
    drafts.get(event.data.ask)?.article.remove()
    drafts.delete(event.data.ask)
    show(event.data.agent, event.data.text, false, event.data.rehearsal ? 'rehearsal' : '')
  }
})
source.addEventListener('delta', ({ data }) => {
  const { ask, offset, text } = JSON.parse(data)
  const draft = drafts.get(ask) ?? show('…', '', false, 'writing')
  drafts.set(ask, draft)
  draft.words.textContent = draft.words.textContent.slice(0, offset) + text
})
form.addEventListener('submit', async (submit) => {
  submit.preventDefault()
  problem.textContent = ''
  try {
    await api('/rooms/' + room.id + '/messages', { text: form.text.value, target: form.target.value })
    form.text.value = ''
  } catch (error) {
    problem.textContent = error.message
  }
})
form.text.addEventListener('keydown', (key) => {
  if (key.key === 'Enter' && (key.ctrlKey || key.metaKey)) form.requestSubmit()
})
</script>
</body>
</html>
`
