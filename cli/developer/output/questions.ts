/** Asks on a terminal, and never elsewhere: a script gets an error that names the option instead. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { printableLine } from '../../printable-text.ts'
import { CommandError } from '../command-error.ts'
import type { Output } from './output.ts'

type Choice<Value> = { readonly label: string; readonly value: Value }

export type Questions = {
  /** Whether someone can answer. */
  readonly isInteractive: boolean
  /** The answer without white space around it; `otherwise` when it is empty. */
  ask(question: string, otherwise?: string): Promise<string>
  /** The answer is not shown. */
  askSecret(question: string): Promise<string>
  /** Repeats the question until the answer is the number of a choice. */
  choose<Value>(question: string, choices: readonly Choice<Value>[]): Promise<Value>
}

/** Questions are printed on stderr, so that stdout has results only. */
export function openQuestions(signal: AbortSignal): Questions {
  const { stdin: input, stderr: output } = process
  const ask = async (question: string, shown: NodeJS.WritableStream): Promise<string> => {
    output.write(question)
    const lines = createInterface({ input, output: shown, terminal: true })
    // A terminal in raw mode sends no signal by itself.
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
    try {
      return (await lines.question('', { signal })).trim()
    } finally {
      lines.close()
    }
  }
  return {
    isInteractive: input.isTTY && output.isTTY,
    ask: async (question, otherwise = '') =>
      (await ask(`${question}${otherwise === '' ? '' : ` [${otherwise}]`}: `, output)) || otherwise,
    askSecret: async (question) => {
      const hidden = new Writable({ write: (_part, _encoding, done) => done() })
      const answer = await ask(`${question}: `, hidden)
      output.write('\n')
      return answer
    },
    choose: async (question, choices) => {
      output.write(
        `${question}\n${choices.map(({ label }, index) => `  ${index + 1}  ${printableLine(label)}`).join('\n')}\n`,
      )
      for (;;) {
        const answer = await ask(`Number from 1 to ${choices.length}: `, output)
        const chosen = /^\d{1,4}$/.test(answer) ? choices[Number(answer) - 1] : undefined
        if (chosen !== undefined) {
          return chosen.value
        }
      }
    },
  }
}

/** What is chosen from, and how it is called. */
type Choices<Value> = {
  /** For example `account`. */
  readonly noun: string
  /** The options that choose one, for example `--account`. */
  readonly option: string
  readonly values: readonly Value[]
  readonly label: (value: Value) => string
  /** The error without any. */
  readonly whenEmpty: () => CommandError
}

/** Chooses the only one, or on a terminal the one that the user names. A script cannot be asked: several choices are an error there, which lists them. */
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
