/** Checks the headers that every response of the run must have. */
import { type Check, type CheckContext, documentedIn } from '../check.ts'
import { requireNone, valueAt } from '../expectations.ts'
import { type Answer, describeAnswer } from '../http/exchange.ts'
import { isUuid, unknownId } from './operations-by-need.ts'

/** A check of each response so far; a success and an error are requested in case that it is the only check. */
function ofEveryAnswer(
  check: Omit<Check, 'run' | 'reference'>,
  problemsOf: (answer: Answer) => readonly string[],
): Omit<Check, 'reference'> {
  return {
    ...check,
    run: async (context: CheckContext) => {
      await context.call('listPayments')
      await context.call('getPayment', { params: { paymentId: unknownId() } })
      requireNone(context.answers.flatMap((answer) => problemsOf(answer)))
    },
  }
}

export const HEADER_CHECKS: readonly Check[] = documentedIn('API reference: headers of responses', [
  ofEveryAnswer(
    {
      id: 'headers-request-id',
      title: 'Every response has a request id',
      rule: 'The header svc-request-id is a UUID, on success too.',
    },
    (answer) => {
      const id = answer.headers.get('svc-request-id')
      return isUuid(id) ? [] : [`${describeAnswer(answer)} with svc-request-id ${String(id)}`]
    },
  ),
  ofEveryAnswer(
    {
      id: 'headers-request-id-in-errors',
      title: 'Errors repeat the request id',
      rule: 'svcRequestId of an error envelope equals the header svc-request-id.',
    },
    (answer) => {
      const header = answer.headers.get('svc-request-id')
      const inBody = valueAt(answer.body, '.svcRequestId')
      return answer.status < 400 || inBody === undefined || inBody === header
        ? []
        : [`${describeAnswer(answer)} with svc-request-id ${String(header)} and svcRequestId ${String(inBody)}`]
    },
  ),
  {
    id: 'headers-request-id-unique',
    title: 'Request ids are unique',
    rule: 'No two responses have the same svc-request-id, except those that an Idempotency-Key repeats.',
    run: async (context) => {
      await context.call('listPayments')
      await context.call('listPayments')
      const counts = new Map<string, number>()
      for (const { headers } of context.answers.filter((answer) => !answer.headers.has('idempotent-replayed'))) {
        const id = headers.get('svc-request-id') ?? ''
        counts.set(id, (counts.get(id) ?? 0) + 1)
      }
      const repeated = [...counts].filter(([id, count]) => id !== '' && count > 1)
      requireNone(repeated.map(([id, count]) => `${count} responses have the svc-request-id ${id}`))
    },
  },
  ofEveryAnswer(
    {
      id: 'headers-content-type',
      title: 'JSON is declared as JSON',
      rule: 'A body that is JSON has the media type application/json.',
    },
    (answer) => {
      const type = answer.headers.get('content-type') ?? 'no header'
      const isJson = /^[[{]/.test(answer.text)
      return !isJson || type.startsWith('application/json')
        ? []
        : [`${describeAnswer(answer)} with Content-Type ${type}`]
    },
  ),
  {
    id: 'headers-rate-limit',
    title: 'A 429 says when to retry',
    rule: 'Every 429 has the header Retry-After in seconds.',
    reference: 'Error catalogue: TooManyRequests',
    run: async (context) => {
      const limited = context.answers.filter(({ status }) => status === 429)
      requireNone(
        limited
          .filter(({ headers }) => !/^\d+$/.test(headers.get('retry-after') ?? ''))
          .map(
            (answer) => `${describeAnswer(answer)} with Retry-After ${answer.headers.get('retry-after') ?? 'missing'}`,
          ),
      )
    },
  },
])
