/** Runs one command of `havn`. */
import { CommanderError } from 'commander'
import { printableText } from './printable-text.ts'
import { havnProgram } from './program.ts'

/** Prints what went wrong, and sets the exit code of the process. `prepare` is called first with the environment. */
export async function runCommand(
  words: readonly string[],
  prepare: (environment: NodeJS.ProcessEnv) => void = () => undefined,
): Promise<void> {
  try {
    prepare(process.env)
    await (await havnProgram(words)).parseAsync(words, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) {
      // It has printed its help or what is wrong.
      process.exitCode = error.exitCode
    } else {
      console.error(printableText(`havn: ${error instanceof Error ? error.message : String(error)}`))
      process.exitCode = 1
    }
  }
}
