/** Asks on a terminal, and never elsewhere: a script gets an error that names the option instead. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { printableLine } from '../../printable-text.ts'

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

type Streams = {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

/** Questions are printed on stderr, so that stdout has results only. */
export function openQuestions(
  { input, output }: Streams = { input: process.stdin, output: process.stderr },
  signal?: AbortSignal,
): Questions {
  const ask = async (question: string, shown: NodeJS.WritableStream): Promise<string> => {
    output.write(question)
    const lines = createInterface({ input, output: shown, terminal: true })
    // A terminal in raw mode sends no signal by itself.
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
    try {
      return (await lines.question('', signal === undefined ? {} : { signal })).trim()
    } finally {
      lines.close()
    }
  }
  return {
    isInteractive: input.isTTY === true && output.isTTY === true,
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
