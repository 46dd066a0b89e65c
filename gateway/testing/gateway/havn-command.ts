/** Runs commands of `havn` in one process for all tests of a worker. `cli/operator/operator.test.ts` runs programs of their own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const CommandResult = Type.Object({ code: Type.Integer(), out: Type.String(), error: Type.String() })
/** Output and exit code of a command. */
export type CommandResult = Static<typeof CommandResult>

const PROCESS = new URL('../../../cli/testing/command-process.ts', import.meta.url)
let commandProcess: ChildProcess | undefined
let previous: Promise<unknown> = Promise.resolve()

/** Runs a command with these environment variables and no others. */
export function runHavnCommand(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const result = previous.then(() => runNext(words, env))
  previous = result.catch(() => undefined)
  return result
}

async function runNext(words: readonly string[], env: Readonly<Record<string, string>>): Promise<CommandResult> {
  commandProcess ??= startCommandProcess()
  const stopping = new AbortController()
  const { signal } = stopping
  const ended = once(commandProcess, 'exit', { signal }).then(([code]) => {
    commandProcess = undefined
    throw new Error(`The process of the commands ended with ${String(code)} during: havn ${words.join(' ')}`)
  })
  try {
    const answered = once(commandProcess, 'message', { signal })
    commandProcess.send({ words, env })
    const [answer] = await Promise.race([answered, ended])
    return Value.Parse(CommandResult, answer)
  } finally {
    stopping.abort()
    await ended.catch(() => undefined)
  }
}

/** It ends with its channel, when the worker ends. */
function startCommandProcess(): ChildProcess {
  const child = fork(PROCESS, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  child.unref()
  child.channel?.unref()
  return child
}
