package opencode

import (
	"encoding/json"
	"strings"
)

// firstLine tells our plugin from others.
const firstLine = "// overturn records the turns of OpenCode: https://opencode.ai/docs/plugins"

// plugin is the file, calling command. It keeps the open turn of each session, its last
// words, and which sessions are sub-agents'; all of that may be lost without harm.
func plugin(command string) (string, error) {
	line, err := json.Marshal(command)
	if err != nil {
		return "", err
	}
	return firstLine + "\n" + strings.Replace(pluginText, "COMMAND", string(line), 1), nil
}

const pluginText = `// Written by "overturn enable"; "overturn disable" removes it.
import { spawn } from "node:child_process"

const command = COMMAND

export const Overturn = async ({ client, directory, worktree }) => {
  const parents = new Map() // session of a sub-agent → session that started it
  const turns = new Map() // session → id of the message that began its turn
  const ended = new Map() // session → how its turn ended, until the next begins
  const words = new Map() // session → the last message of the agent: its id, and its parts by id
  const home = worktree && worktree !== "/" ? worktree : directory

  const top = (id) => { for (let i = 0; i < 32 && parents.has(id); i++) id = parents.get(id); return id }
  const telling = new Set() // events that are being told
  // tell hands one event to the hook and waits for its end; it gives back what the hook printed.
  const tell = (event) => {
    const told = spawnHook(event)
    telling.add(told)
    return told.finally(() => telling.delete(told))
  }
  const spawnHook = (event) => new Promise((done) => {
    try {
      const child = spawn("/bin/sh", ["-c", command], { cwd: home, stdio: ["pipe", "pipe", "ignore"] })
      let said = ""
      const limit = setTimeout(() => { child.kill(); done("") }, 15000)
      child.stdout.on("data", (d) => { said += d })
      child.on("error", () => { clearTimeout(limit); done("") })
      child.on("close", () => { clearTimeout(limit); done(said) })
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify({ cwd: home, at: new Date().toISOString(), ...event }))
    } catch { done("") }
  })
  const tool = (event, input, args, failed) => {
    const thread = top(input.sessionID)
    const file = args?.filePath ?? args?.file_path
    const patch = typeof args?.patchText === "string" ? args.patchText : ""
    const paths = [...patch.matchAll(/^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm)].map((m) => m[1].trim())
    if (typeof file === "string" && /^(write|edit|multiedit|patch)$/.test(input.tool)) paths.push(file)
    return tell({ event, thread, turn_id: turns.get(thread) ?? "", tool: input.tool, call_id: input.callID,
      subagent: thread === input.sessionID ? "" : input.sessionID,
      paths, command: input.tool === "bash" && typeof args?.command === "string" ? args.command : "", failed: failed ?? false })
  }
  const listen = (part) => { // the text of the newest message that is not the user's
    const id = part?.sessionID
    if (part?.type !== "text" || part.synthetic || typeof part.text !== "string" || part.messageID === turns.get(id)) return
    if (words.get(id)?.id !== part.messageID) words.set(id, { id: part.messageID, parts: new Map() })
    words.get(id).parts.set(part.id, part.text.slice(0, 8000))
  }
  // add gives the agent what the hook said, as a part of the user's message that the user did not write.
  const add = (said, message, parts) => {
    if (!said) return
    try {
      const { additional_context: text, notice } = JSON.parse(said)
      if (typeof text !== "string" || !text || !message?.id) return
      const last = parts.at(-1)?.id ?? "prt_0"
      parts.push({ id: last + "0", sessionID: message.sessionID, messageID: message.id, type: "text", text, synthetic: true })
      Promise.resolve(client?.tui?.showToast?.({ body: { message: String(notice), variant: "info" } })).catch(() => {})
    } catch {}
  }

  return {
    event: async ({ event }) => {
      if (event.type === "message.part.updated") return listen(event.properties?.part)
      const id = event.properties?.sessionID ?? event.properties?.info?.id
      if (!id) return
      const info = event.properties.info
      if (event.type === "session.created") {
        if (info?.parentID) { parents.set(id, info.parentID); return }
        await tell({ event: "session-start", thread: id })
      }
      if (parents.has(id) || !turns.has(id)) return
      if (event.type === "session.error") {
        const aborted = event.properties.error?.name === "MessageAbortedError"
        ended.set(id, aborted ? "interrupted" : "failed")
      }
      if (event.type === "session.idle") {
        const last = words.get(id)
        await tell({ event: "turn-end", thread: id, turn_id: turns.get(id), state: ended.get(id) ?? "completed",
          message_id: last?.id ?? "", message: last ? [...last.parts.values()].join("\n") : "" })
      }
    },
    "chat.message": async (input, output) => {
      const id = output.message?.sessionID ?? input.sessionID
      if (parents.has(id)) return
      turns.set(id, output.message?.id ?? "")
      ended.delete(id)
      words.delete(id)
      const prompt = (output.parts ?? []).filter((p) => p.type === "text" && !p.synthetic).map((p) => p.text).join("\n")
      add(await tell({ event: "turn-start", thread: id, turn_id: turns.get(id), prompt, reports_tools: true, takes_context: true }),
        output.message, output.parts)
    },
    "tool.execute.before": async (input, output) => { await tool("pre-tool", input, output.args) },
    "tool.execute.after": async (input, output) => { await tool("post-tool", input, input.args ?? output.args) },
    dispose: async () => { while (telling.size) await Promise.all(telling) }, // a one-shot run ends at once
  }
}
`
