/** A process that runs commands of `havn` for tests, one after the other: to load their code takes most of their time. */
import { runCommand } from '../run-command.ts'

type TypedCommand = { readonly words: readonly string[]; readonly env: Readonly<Record<string, string>> }

let previous = Promise.resolve()
process.on('message', (typed: TypedCommand) => {
  previous = previous.then(() => answer(typed))
})

async function answer({ words, env }: TypedCommand): Promise<void> {
  process.env = { ...env }
  process.exitCode = 0
  const printed = { out: '', error: '' }
  process.stdout.write = (part: string | Uint8Array) => {
    printed.out += String(part)
    return true
  }
  process.stderr.write = (part: string | Uint8Array) => {
    printed.error += String(part)
    return true
  }
  await runCommand(words)
  process.send?.({ code: process.exitCode, ...printed })
}
