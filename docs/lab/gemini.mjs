// Gemini CLI: settings.json hooks and `gemini -p`.
import fs from 'node:fs'
import path from 'node:path'
import { run, report, modelBusy, sleep, comment, told, toldOnce, takeBack, toldBack, toldBackOnce, EFFECTS } from './lib.mjs'
const EVENTS = ['SessionStart', 'SessionEnd', 'BeforeAgent', 'AfterAgent', 'BeforeTool', 'AfterTool', 'Notification']
export function setup(ctx) {
  const d = path.join(ctx.home, '.gemini'); fs.mkdirSync(d)
  Object.assign(ctx.env, { GEMINI_API_KEY: 'stub-key-not-a-credential', GOOGLE_GEMINI_BASE_URL: ctx.url, GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_CLI_NO_RELAUNCH: 'true', GEMINI_TELEMETRY_ENABLED: 'false' })
  const hooks = {}
  for (const e of EVENTS) hooks[e] = [{ hooks: [{ type: 'command', command: ctx.hook(e), timeout: 30000 }] }]
  fs.writeFileSync(path.join(d, 'settings.json'), JSON.stringify({ hooks, security: { auth: { selectedType: 'gemini-api-key' } }, general: { disableAutoUpdate: true, disableUpdateNag: true }, privacy: { usageStatisticsEnabled: false } }, null, 1))
  ctx.f = n => path.join(ctx.repo, n)
}
const ask = (ctx, text, ...more) => run(ctx, ['--approval-mode', 'yolo', '-m', 'gemini-2.5-flash', ...more, '-p', text], { timeout: 90 })
export const scenarios = {
  async edit(ctx) {
    const r = await ask(ctx, `please [[write ${ctx.f('b.txt')}|hello\\nworld\\n]] [[shell echo two >> a.txt]]`)
    report(ctx, 'one turn by `gemini -p`', { rc: r.rc, out: (r.out + r.err).slice(-300) })
  },
  async effects(ctx) { const r = await ask(ctx, EFFECTS(ctx)); report(ctx, 'effects of shell commands', { rc: r.rc, out: (r.out + r.err).slice(-300) }) },
  async told(ctx) {
    await ask(ctx, `please [[write ${ctx.f('b.txt')}|hello\\n]]`); const before = told(ctx)
    comment(ctx, 'b.txt')
    await ask(ctx, 'second [[say ok]]', '--resume', 'latest'); const second = told(ctx)
    await ask(ctx, 'third [[say ok]]', '--resume', 'latest'); const third = told(ctx)
    report(ctx, 'a comment is handed over', { before, second, third }); toldOnce(before, second, third)
  },
  async rolledback(ctx) {
    ctx.env.OVERTURN_AGENTS_TELL = 'rollbacks'
    await ask(ctx, `please [[write ${ctx.f('b.txt')}|hello\\n]]`); takeBack(ctx)
    await ask(ctx, 'second [[say ok]]', '--resume', 'latest'); const second = toldBack(ctx)
    await ask(ctx, 'third [[say ok]]', '--resume', 'latest'); const third = toldBack(ctx)
    report(ctx, 'a rollback is told', { second, third }); toldBackOnce(second, third)
  },
  async modelfail(ctx) { const r = await ask(ctx, 'please [[fail 400]]'); report(ctx, 'the model answers with an error', { rc: r.rc }) },
  async sigint(ctx) {
    const r = await run(ctx, ['--approval-mode', 'yolo', '-m', 'gemini-2.5-flash', '-p', `go [[write ${ctx.f('b.txt')}|1\\n]] [[hang]]`], { signalAfter: modelBusy(ctx, 'hang').then(() => sleep(500)), timeout: 60 })
    report(ctx, 'SIGINT to `gemini -p` mid-turn', { rc: r.rc })
  },
}
