/** Describes a resolution of an operator task, as it is stored. */
import { consoleText } from '../texts/console-texts.ts'

/** Operators resolve tasks in three ways; Havn resolves them with a reason. */
export function describeResolution(resolution: unknown): string {
  const { type, bankPaymentId, note, reason } = Object(resolution)
  switch (type) {
    case 'taken':
      return consoleText('task.taken', { bankPaymentId: String(bankPaymentId) })
    case 'never-taken':
      return consoleText('task.neverTaken')
    case 'none-taken':
      return consoleText('task.noneTaken')
    case 'noted':
      return String(note)
    default:
      return String(reason ?? JSON.stringify(resolution))
  }
}
