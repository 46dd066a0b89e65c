/** Tests that commands print what others have written as text, which a terminal does not obey. */
import { afterEach, expect, test, vi } from 'vitest'
import { CommandError } from '../command-error.ts'
import { openOutput } from './output.ts'

afterEach(() => vi.restoreAllMocks())

const SENT = 'Kari\r\n\u001b]52;c;cm0gLXJmIH4=\u0007\t\u009b2J'
const SHOWN = 'Kari\n\ufffd]52;c;cm0gLXJmIH4=\ufffd\t\ufffd2J\n'

test('texts have no escape sequences, JSON and parts of files have the characters that were sent', async () => {
  const printed: string[] = []
  const write = (text: unknown, done?: unknown) => {
    printed.push(String(text))
    if (typeof done === 'function') {
      done()
    }
    return true
  }
  vi.spyOn(process.stdout, 'write').mockImplementation(write)
  vi.spyOn(process.stderr, 'write').mockImplementation(write)
  const output = openOutput(false)
  output.result({}, SENT)
  output.write(SENT)
  output.note(SENT)
  output.error(new CommandError('rejected', SENT))
  expect(printed).toEqual([SHOWN, SHOWN, SHOWN, `havn: ${SHOWN}`])
  await output.writePart(SENT)
  openOutput(true).result(SENT, '')
  expect([printed.at(-2), JSON.parse(printed.at(-1) ?? '')]).toEqual([SENT, SENT])
})
