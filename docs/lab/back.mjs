// `overturn revert` of a real agent's thread: three turns, back to the first, undone, back again, and a fourth
// prompt to the conversation as it is then. What the model is sent with it is the proof.
import fs from 'node:fs'
import path from 'node:path'
import { spawnSync } from 'node:child_process'
import { run, report, lines } from './lib.mjs'
const CLAUDE = ['-p', '--output-format', 'stream-json', '--verbose', '--model', 'claude-sonnet-4-5']
const CODEX = ['exec', '--dangerously-bypass-hook-trust', '--json']
const GEMINI = ['--approval-mode', 'yolo', '-m', 'gemini-2.5-flash']
const COPILOT = ['--allow-all-tools', '--allow-all-paths']
// how a prompt is given: to a new conversation, or to one by its id; and where a note of overturn names that
const HOW = {
  claude: { ask: (text, id) => [...CLAUDE, ...(id ? ['--resume', id] : []), text], next: /claude --resume ([\w-]+)/ },
  codex: { ask: (text, id) => [...CODEX, ...(id ? ['resume', id] : []), text], next: /codex resume ([\w-]+)/ },
  opencode: { ask: (text, id) => ['run', ...(id ? ['-s', id] : []), text], next: /opencode -s (\w+)/ },
  gemini: { ask: (text, id) => [...GEMINI, ...(id ? ['--resume', id] : []), '-p', text], next: /gemini --resume ([\w-]+)/ },
  copilot: { ask: (text, id) => [...COPILOT, ...(id ? ['--resume', id] : []), '-p', text], next: /copilot --resume ([\w-]+)/ },
}
export const back = agent => async ctx => {
  const { ask, next } = HOW[agent]
  const overturn = (...args) => {
    const r = spawnSync('overturn', args, { cwd: ctx.repo, env: { ...ctx.env, PATH: `${path.dirname(ctx.bin)}:${ctx.env.PATH}` }, encoding: 'utf8' })
    if (r.status !== 0) throw new Error(`overturn ${args.join(' ')}: ${r.status} ${r.stderr}`)
    return JSON.parse(r.stdout)
  }
  const must = (ok, what, seen) => { if (!ok) throw new Error(`${what}: ${JSON.stringify(seen)}`) }
  const turn = async (text, id) => { const r = await run(ctx, ask(text, id), { timeout: 100 }); must(r.rc === 0, `the agent on ${text}`, r.err.slice(-500)) }
  const turns = () => overturn('turns', '--json').turns.map(t => `${t.turn} ${/\w+/.exec(t.prompt)[0]}`).join(', ')
  const files = () => fs.readdirSync(ctx.repo).filter(f => /^[bcd]\.txt$/.test(f)).join(' ')
  const revert = gone => {
    const plan = overturn('revert', '--to', '1', '--plan', '--json')
    const r = overturn('revert', '--to', '1', '--expect', plan.fingerprint, '--json')
    must(files() === 'b.txt', 'files after the revert', files()); must(turns() === '1 first', 'turns after the revert', turns())
    if (gone) must(r.conversation.done === false && r.conversation.turns === 0, 'the conversation that has none of the turns', r.conversation)
    else must(r.conversation.done === true && r.conversation.turns === 2, 'the conversation', r.conversation)
    return r.conversation.note
  }
  const write = f => `[[write ${agent === 'codex' ? f : path.join(ctx.repo, f)}|x\\n]]`
  await turn(`first ${write('b.txt')}`)
  const id = overturn('threads', '--json').threads[0].thread
  await turn(`second ${write('c.txt')}`, id); await turn(`third ${write('d.txt')}`, id)
  must(turns() === '1 first, 2 second, 3 third', 'turns', turns())
  const notes = [revert()]
  notes.push(overturn('undo', '--json').conversation?.note)
  must(files() === 'b.txt c.txt d.txt', 'files after the undo', files()); must(turns() === '1 first, 2 second, 3 third', 'turns after the undo', turns())
  const once = agent === 'codex' // it cannot put turns back, so that there are none to take out again
  notes.push(revert(once))
  await turn('fourth [[say ok]]', next.exec(notes[once ? 0 : 2])?.[1])
  const seen = lines(ctx.requests).filter(r => r.tools?.length).at(-1).seen.map(s => s.text).join('\n')
  report(ctx, 'overturn revert --to 1, undo, and again', { notes, files: files(), turns: turns() })
  must(/first \[\[/.test(seen) && /fourth \[\[/.test(seen) && !/(second|third) \[\[/.test(seen), 'what the model was sent', seen.slice(-1500))
  must(turns() === '1 first, 2 fourth', 'turns at the end', turns())
}
