/** Checks that a repeated order is ordered once: with a key, concurrently, and what a key rejects. */
import { type Check, type CheckContext, documentedIn } from '../check.ts'
import { require, requireError, requireNone, requireStatus, statusProblems, valueAt } from '../expectations.ts'
import { domesticOrder, ordering, uniqueName } from '../subjects/payments.ts'

const CONCURRENT = 5
const KEY_CHARACTERS_MAX = 255

/** Calls the operation with one key, with the order or a changed one. */
async function prepare(context: CheckContext) {
  const basis = await ordering(context)
  const order = await domesticOrder(context, basis)
  const headers = { 'idempotency-key': uniqueName() }
  const send = (body: object = order) =>
    context.call('initiateDomesticPayment', { consentId: basis.consentId, body, headers })
  const { endToEndId } = order.metadata
  const count = async () => (await context.succeed('listPayments', { query: { endToEndId } })).payments.length
  return { order, send, count }
}

export const IDEMPOTENCY_CHECKS: readonly Check[] = documentedIn('Guide: safe retries', [
  {
    id: 'idempotency-replay',
    title: 'A repeated request gets the stored response',
    rule: 'The same key with the same body returns the same status and body, byte for byte, with Idempotent-Replayed: true, and orders once.',
    run: async (context) => {
      const { send, count } = await prepare(context)
      const [first, second] = [await send(), await send()]
      requireStatus(first, 200)
      const replayed = second.headers.get('idempotent-replayed')
      requireNone([
        second.status === first.status || `The first response is ${first.status}, the second ${second.status}`,
        second.text === first.text || `The bodies differ: ${first.text} and ${second.text}`,
        replayed === 'true' || `The second response has Idempotent-Replayed: ${String(replayed)}`,
        !first.headers.has('idempotent-replayed') || 'The first response has Idempotent-Replayed',
      ])
      const payments = await count()
      require(payments === 1, `There are ${payments} payments, expected one`)
    },
  },
  {
    id: 'idempotency-other-body',
    title: 'A key is not used for another order',
    rule: 'The same key with another body is 422 InvalidRequest, and orders nothing.',
    run: async (context) => {
      const { order, send, count } = await prepare(context)
      await send()
      const amount = { ...order.amount, amount: '9.87' }
      requireError(await send({ ...order, amount }), 422, 'InvalidRequest')
      const payments = await count()
      require(payments === 1, `There are ${payments} payments, expected one`)
    },
  },
  {
    id: 'idempotency-concurrent',
    title: 'Concurrent requests with one key order once',
    rule: 'One of them orders; the others return the same response, or 409 while it is in progress.',
    run: async (context) => {
      const { send, count } = await prepare(context)
      const answers = await Promise.all(Array.from({ length: CONCURRENT }, () => send()))
      requireNone(answers.flatMap((answer) => statusProblems(answer, 200, 409)))
      const ids = answers.filter(({ status }) => status === 200).map(({ body }) => valueAt(body, '.paymentId'))
      require(ids.length > 0, 'None of the requests has ordered')
      require(new Set(ids).size === 1, `The requests returned several payments: ${ids.join(', ')}`)
      const payments = await count()
      require(payments === 1, `There are ${payments} payments, expected one`)
    },
  },
  {
    id: 'idempotency-other-key',
    title: 'Another key orders again',
    rule: 'The response is another payment, with the warning PossibleDuplicate that names the first one.',
    run: async (context) => {
      const basis = await ordering(context)
      const order = await domesticOrder(context, basis)
      const send = () =>
        context.succeed('initiateDomesticPayment', {
          consentId: basis.consentId,
          body: order,
          headers: { 'idempotency-key': uniqueName() },
        })
      const [first, second] = [await send(), await send()]
      require(first.paymentId !== second.paymentId, 'Two keys returned one payment')
      const warning = second.warnings?.find(({ code }) => code === 'PossibleDuplicate')
      require(warning?.paymentId === first.paymentId, `The warnings are ${JSON.stringify(second.warnings ?? [])}`)
    },
  },
  {
    id: 'idempotency-key-length',
    title: 'A key has at most 255 characters',
    rule: 'A longer key is rejected, and orders nothing.',
    run: async (context) => {
      const basis = await ordering(context)
      const headers = { 'idempotency-key': 'k'.repeat(KEY_CHARACTERS_MAX + 1) }
      const body = await domesticOrder(context, basis)
      const answer = await context.call('initiateDomesticPayment', { consentId: basis.consentId, body, headers })
      requireStatus(answer, 400, 422)
    },
  },
])
