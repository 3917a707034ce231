#!/usr/bin/env node
// Gives the recorded events of OpenCode (plugin/*.json) to overturn's plugin (overturn.mjs)
// and writes what it tells the hook: one file a recording, *.json beside this one, which the
// tests read. They hold the plugin's sum against the one kept there. After a change of the
// plugin:   UPDATE_GOLDEN=1 go test ./review/agents/opencode; node review/agents/opencode/testdata/play.mjs
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = path.dirname(fileURLToPath(import.meta.url))
const text = fs.readFileSync(path.join(here, 'overturn.mjs'), 'utf8')
const sum = createHash('sha256').update(text).digest('hex')
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'play-'))
const told = path.join(dir, 'told')

for (const name of fs.readdirSync(path.join(here, 'plugin')).sort()) {
  const list = JSON.parse(fs.readFileSync(path.join(here, 'plugin', name), 'utf8')).fired
  const mod = path.join(dir, name + '.mjs')
  fs.writeFileSync(mod, text.replace(/^const command = .*$/m, `const command = ${JSON.stringify(`cat >> '${told}'; echo >> '${told}'`)}`))
  fs.writeFileSync(told, '')
  const init = list.find(f => f.event === 'plugin.init').stdin
  fs.mkdirSync(path.join(dir, 'repo'), { recursive: true })
  const hooks = await (await import(pathToFileURL(mod))).Overturn({ client: {}, directory: path.join(dir, 'repo'), worktree: path.join(dir, 'repo') })
  for (const { event, stdin: s } of list) {
    if (event === 'chat.message') await hooks[event](s.input, { message: s.message, parts: s.parts })
    else if (event === 'tool.execute.before') await hooks[event](s.input, { args: s.args })
    else if (event === 'tool.execute.after') await hooks[event](s.input, { title: s.title, output: s.output })
    else if (s.properties) await hooks.event({ event: { type: event, properties: s.properties } })
  }
  const lines = fs.readFileSync(told, 'utf8').trim().split('\n').map((l, i) => {
    const e = JSON.parse(l.replaceAll(path.join(dir, 'repo'), init.directory))
    e.at = new Date(Date.UTC(2026, 10, 30, 9, 0, i)).toISOString() // the hour of playing says nothing
    return ' ' + JSON.stringify({ event: e.event, env: {}, stdin: e })
  })
  fs.writeFileSync(path.join(here, name), `{"plugin": "${sum}", "fired": [\n${lines.join(',\n')}\n]}\n`)
}
fs.rmSync(dir, { recursive: true })
