/** A process that runs commands of `havn` for tests, one after the other: to load their code takes most of their time. */
import { runCommand } from '../run-command.ts'

type TypedCommand = {
  readonly words: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** By default that in which this process was started. */
  readonly folder?: string
}

const startFolder = process.cwd()
let previous = Promise.resolve()
process.on('message', (typed: TypedCommand) => {
  previous = previous.then(() => answer(typed))
})

async function answer({ words, env, folder = startFolder }: TypedCommand): Promise<void> {
  process.chdir(folder)
  process.env = { ...env }
  process.exitCode = 0
  const printed = { out: '', error: '' }
  process.stdout.write = writerTo((part) => {
    printed.out += part
  })
  process.stderr.write = writerTo((part) => {
    printed.error += part
  })
  await runCommand(words)
  process.send?.({ code: process.exitCode, ...printed })
}

/** Calls back at once, as a stream does when its reader is fast. */
function writerTo(append: (part: string) => void): typeof process.stdout.write {
  return (part: string | Uint8Array, ...rest: readonly unknown[]) => {
    append(String(part))
    const written = rest.find((each) => typeof each === 'function')
    written?.()
    return true
  }
}
