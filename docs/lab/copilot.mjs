// GitHub Copilot CLI: a hooks file in its folder, `copilot -p`, the stub as its provider.
import fs from 'node:fs'
import path from 'node:path'
import { run, report, modelBusy, sleep, comment, told, toldOnce, takeBack, toldBack, toldBackOnce, EFFECTS } from './lib.mjs'
const EVENTS = ['sessionStart', 'userPromptSubmitted', 'preToolUse', 'permissionRequest', 'postToolUse', 'postToolUseFailure', 'agentStop', 'errorOccurred', 'sessionEnd']
export function setup(ctx) {
  const h = path.join(ctx.home, '.copilot'); fs.mkdirSync(path.join(h, 'hooks'), { recursive: true })
  Object.assign(ctx.env, { COPILOT_HOME: h, COPILOT_OFFLINE: 'true', COPILOT_AUTO_UPDATE: 'false', COPILOT_PROVIDER_BASE_URL: ctx.url + '/v1', COPILOT_MODEL: 'stub-model' })
  const hooks = {}
  for (const e of EVENTS) hooks[e] = [{ type: 'command', bash: ctx.hook(e), timeoutSec: 30 }]
  fs.writeFileSync(path.join(h, 'hooks/lab.json'), JSON.stringify({ version: 1, hooks }))
  fs.writeFileSync(path.join(h, 'config.json'), JSON.stringify({ trusted_folders: [ctx.repo], trustedFolders: [ctx.repo] }))
  // it unpacks itself at its first start, into the home folder; once is enough
  const pkg = path.join(process.env.HOME ?? '/nowhere', '.cache/copilot')
  if (fs.existsSync(pkg)) { fs.mkdirSync(path.join(ctx.home, '.cache'), { recursive: true }); fs.symlinkSync(pkg, path.join(ctx.home, '.cache/copilot')) }
  ctx.f = n => path.join(ctx.repo, n)
}
const ask = (ctx, text, ...more) => run(ctx, ['--allow-all-tools', '--allow-all-paths', ...more, '-p', text], { timeout: 120 })
export const scenarios = {
  async edit(ctx) {
    const r = await ask(ctx, `please [[write ${ctx.f('b.txt')}|hello\\nworld\\n]] [[shell echo two >> a.txt]]`)
    report(ctx, 'one turn by `copilot -p`', { rc: r.rc, out: (r.out + r.err).slice(-300) })
  },
  async effects(ctx) { const r = await ask(ctx, EFFECTS(ctx)); report(ctx, 'effects of shell commands', { rc: r.rc, out: (r.out + r.err).slice(-300) }) },
  async told(ctx) {
    await ask(ctx, `please [[write ${ctx.f('b.txt')}|hello\\n]]`); const before = told(ctx)
    comment(ctx, 'b.txt')
    await ask(ctx, 'second [[say ok]]', '--continue'); const second = told(ctx)
    await ask(ctx, 'third [[say ok]]', '--continue'); const third = told(ctx)
    report(ctx, 'a comment is handed over', { before, second, third }); toldOnce(before, second, third)
  },
  async rolledback(ctx) {
    ctx.env.OVERTURN_AGENTS_TELL = 'rollbacks'
    await ask(ctx, `please [[write ${ctx.f('b.txt')}|hello\\n]]`); takeBack(ctx)
    await ask(ctx, 'second [[say ok]]', '--continue'); const second = toldBack(ctx)
    await ask(ctx, 'third [[say ok]]', '--continue'); const third = toldBack(ctx)
    report(ctx, 'a rollback is told', { second, third }); toldBackOnce(second, third)
  },
  async modelfail(ctx) { const r = await ask(ctx, 'please [[fail 400]]'); report(ctx, 'the model answers with an error', { rc: r.rc }) },
  async sigint(ctx) {
    const r = await run(ctx, ['--allow-all-tools', '--allow-all-paths', '-p', `go [[write ${ctx.f('b.txt')}|1\\n]] [[hang]]`], { signalAfter: modelBusy(ctx, 'hang').then(() => sleep(500)), timeout: 60 })
    report(ctx, 'SIGINT to `copilot -p` mid-turn', { rc: r.rc })
  },
}
