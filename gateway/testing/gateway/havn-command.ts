/** Runs commands of `havn`: in one process for all tests of a worker, or as programs of their own. */
import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const CommandResult = Type.Object({ code: Type.Integer(), out: Type.String(), error: Type.String() })
/** Output and exit code of a command. */
export type CommandResult = Static<typeof CommandResult>

const LAUNCHER = fileURLToPath(new URL('../../../cli/havn', import.meta.url))
const PROCESS = new URL('../../../cli/testing/command-process.ts', import.meta.url)
let commandProcess: ChildProcess | undefined
let previous: Promise<unknown> = Promise.resolve()

/** The part of this process's environment that programs of Havn need: they share the compile cache. */
export function programEnvironment(): Readonly<Record<string, string>> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  return { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) }
}

/** Runs a command as a program of its own, which must end by itself with 0; returns its output. */
export async function runHavnProgram(
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
  folder?: string,
): Promise<string> {
  const env = { ...programEnvironment(), ...settings }
  return (await promisify(execFile)(LAUNCHER, words, { env, ...(folder === undefined ? {} : { cwd: folder }) })).stdout
}

/** Runs a command with these environment variables and no others, in a folder. */
export function runHavnCommand(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  folder?: string,
): Promise<CommandResult> {
  const result = previous.then(() => runNext(words, env, folder))
  previous = result.catch(() => undefined)
  return result
}

async function runNext(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  folder: string | undefined,
): Promise<CommandResult> {
  commandProcess ??= startCommandProcess()
  const stopping = new AbortController()
  const { signal } = stopping
  const ended = once(commandProcess, 'exit', { signal }).then(([code]) => {
    commandProcess = undefined
    throw new Error(`The process of the commands ended with ${String(code)} during: havn ${words.join(' ')}`)
  })
  try {
    const answered = once(commandProcess, 'message', { signal })
    commandProcess.send({ words, env, folder })
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
