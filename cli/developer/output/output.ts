/** Prints results on stdout, as text or JSON, and what accompanies them on stderr: progress, and how a user authenticates. */

import type { Sca } from '../../../contract/sca.ts'
import { printableText } from '../../printable-text.ts'
import { type CommandError, EXIT_CODES } from '../command-error.ts'

/** Where a command prints. */
export type Output = {
  readonly isJson: boolean
  /** A result: one line of JSON, or its text. A command that follows something prints several. */
  result(value: unknown, text: string): void
  /** A line of a table that is printed while it is read. */
  write(text: string): void
  /** A part of a file in another format, as it is; resolves when the reader has taken it. */
  writePart(text: string): Promise<void>
  /** Progress and advice for readers; not with `--json`. */
  note(text: string): void
  /** Replaces the last line of progress on a terminal; elsewhere nothing is printed. */
  progress(text: string): void
  error(error: CommandError): void
}

/** Clears the line of the cursor. */
const CLEAR_LINE = '\r\u001b[2K'

export function openOutput(isJson: boolean): Output {
  const isTerminal = process.stderr.isTTY && !isJson
  let progress = ''
  const clear = () => {
    if (progress !== '') {
      process.stderr.write(CLEAR_LINE)
      progress = ''
    }
  }
  const print = (text: string) => {
    clear()
    process.stdout.write(text === '' || text.endsWith('\n') ? text : `${text}\n`)
  }
  const printText = (text: string) => print(printableText(text))
  return {
    isJson,
    result: (value, text) => (isJson ? print(JSON.stringify(value)) : printText(text)),
    write: printText,
    writePart: (text) => new Promise((resolve) => process.stdout.write(text, () => resolve())),
    note: (text) => {
      if (!isJson) {
        clear()
        process.stderr.write(`${printableText(text)}\n`)
      }
    },
    progress: (text) => {
      if (isTerminal && text !== progress) {
        process.stderr.write(`${CLEAR_LINE}${printableText(text)}`)
        progress = text
      }
    },
    error: ({ message, reason, next, details }) => {
      clear()
      const error = { reason, exitCode: EXIT_CODES[reason][0], message, next, ...details }
      const text = `havn: ${message}${next === undefined ? '' : `\nNext: ${next}`}`
      process.stderr.write(`${isJson ? JSON.stringify({ error }) : printableText(text)}\n`)
    },
  }
}

const WIDTH = 30

/** For example `██████░░░░  120 of 300 final`. */
export function progressBar(done: number, total: number, what: string): string {
  const filled = total === 0 ? WIDTH : Math.floor((WIDTH * done) / total)
  return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}  ${done} of ${total} ${what}`
}

export function scaLink(sca: Sca | undefined): string {
  if (sca === undefined) {
    return 'The user is asked in the app of the bank.'
  }
  return sca.type === 'redirect'
    ? `Open ${sca.url}`
    : `The user scans a code in the app of the bank: ${sca.code ?? 'the bank gives an image only, which --json prints'}`
}
