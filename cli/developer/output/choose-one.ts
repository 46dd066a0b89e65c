/** Chooses one of several things: the only one, or on a terminal the one that the user names. */
import { CommandError } from '../command-error.ts'
import type { Output } from './output.ts'
import type { Questions } from './questions.ts'

/** What is chosen from, and how it is called. */
export type Choices<Value> = {
  /** For example `account`. */
  readonly noun: string
  /** The options that choose one, for example `--account`. */
  readonly option: string
  readonly values: readonly Value[]
  readonly label: (value: Value) => string
  /** The error without any. */
  readonly whenEmpty: () => CommandError
}

/** A script cannot be asked: several choices are an error there, which lists them. */
export async function chooseOne<Value>(
  { output, questions }: { readonly output: Output; readonly questions: Questions },
  { noun, option, values, label, whenEmpty }: Choices<Value>,
): Promise<Value> {
  const [first, ...rest] = values
  if (first === undefined) {
    throw whenEmpty()
  }
  if (rest.length === 0) {
    output.note(`Using the only ${noun} that fits: ${label(first)}`)
    return first
  }
  if (!questions.isInteractive) {
    throw new CommandError('invalid', `Choose the ${noun} by ${option}. There are:${listOf(values.map(label))}`)
  }
  return await questions.choose(
    `Which ${noun}?`,
    values.map((value) => ({ label: label(value), value })),
  )
}

/** One line each, indented. */
export function listOf(lines: readonly string[]): string {
  return lines.length === 0 ? ' none' : lines.map((line) => `\n  ${line}`).join('')
}
