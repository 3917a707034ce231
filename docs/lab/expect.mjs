// node expect.mjs AGENT SCENARIO: run in the agent's repository after a scenario. Reads `overturn turns --json`
// and says what differs from what the scenario did: one line a turn, "state status file=owner … [domain of effect] …".
import { spawnSync } from 'node:child_process'
const shipped = ['completed ready a.txt=agent [outside] [commits] [other] [publication]'] // the effects of lib.mjs
const back = ['completed ready b.txt=agent', 'completed ready', 'completed ready']
const reverted = ['completed ready b.txt=agent', 'completed ready']
const want = {
  claude: {
    back: reverted,
    effects: shipped,
    rolledback: back,
    told: back,
    edit: ['completed ready a.txt=agent b.txt=agent'],
    failtool: ['completed ready'],
    modelfail: ['failed|unknown ready'], // its StopFailure is lost in one run of three
    interrupt: ['interrupted ready b.txt=agent', 'interrupted|unknown ready'],
    sigint: ['interrupted|unknown ready b.txt=agent'],
    tui: ['interrupted ready b.txt=agent', 'completed ready c.txt=agent'],
  },
  codex: {
    back: reverted,
    effects: shipped,
    rolledback: back,
    told: back,
    edit: ['completed ready a.txt=agent b.txt=agent'],
    codemode: ['completed ready a.txt=agent b.txt=agent'],
    failtool: ['completed ready'],
    modelfail: ['unknown ready'],
    untrusted: [],
    interrupt: ['interrupted ready b.txt=agent', 'interrupted ready'],
    tui: ['interrupted ready b.txt=agent', 'completed ready c.txt=agent'],
  },
  opencode: {
    back: reverted,
    effects: shipped,
    rolledback: back,
    told: back,
    edit: ['completed ready a.txt=agent b.txt=agent'],
    modelfail: ['failed ready'],
    interrupt: ['interrupted ready b.txt=agent', 'interrupted ready'],
  },
  gemini: {
    back: reverted,
    edit: ['completed ready a.txt=agent b.txt=agent'],
    effects: shipped,
    rolledback: back,
    told: back,
    modelfail: ['open|interrupted|unknown ready'], // it tells nothing at all; the program is gone when the next look comes
    sigint: ['unknown|interrupted ready b.txt=agent'],
  },
  copilot: {
    back: reverted,
    edit: ['completed ready a.txt=agent b.txt=agent'],
    effects: shipped,
    rolledback: back,
    told: back,
    modelfail: ['failed ready'],
    sigint: ['open|interrupted|unknown ready b.txt=agent'],
  },
}
const [agent, scenario] = process.argv.slice(2)
const overturn = (...a) => spawnSync('overturn', a, { encoding: 'utf8' })
const r = overturn('turns', '--json')
const turns = r.status === 0 ? JSON.parse(r.stdout).turns : []
if (r.status !== 0 && r.status !== 10) { console.error(r.stderr); process.exit(1) }
const got = turns.map(t => [t.state, t.status, ...(t.files ?? [{ path: '?', owner: t.status_reason }]).map(f => `${f.path}=${f.owner}`), ...t.effects.map(e => `[${e.domain}]`)].join(' '))
const expected = want[agent]?.[scenario]
if (!expected) { console.log(got.join('\n')); process.exit(0) }
const same = (g, w) => { const [gs, ...gr] = g.split(' '), [ws, ...wr] = w.split(' '); return ws.split('|').includes(gs) && gr.join(' ') === wr.join(' ') }
let ok = got.length === expected.length && got.every((g, i) => same(g, expected[i]))
if (scenario === 'untrusted' && !/not trusted/.test(overturn('agents').stdout)) { ok = false; console.error('overturn agents does not say that the hooks are not trusted') }
if (!ok) { console.error(`recorded:\n  ${got.join('\n  ')}\nwanted:\n  ${expected.join('\n  ')}`); console.error(overturn('trace').stdout.slice(-3000)) }
process.exit(ok ? 0 : 1)
