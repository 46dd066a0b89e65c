/** Guarantees about a bank's answer that comes later than anybody waited for it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../foundation/ids.ts'
import { openTasks } from '../operators/resolve-task.ts'
import { atBank } from '../testing/at-bank.ts'
import { ask, soundHeaders } from '../testing/refusals.ts'
import { acceptedConsent, domesticPayment } from '../testing/samples.ts'
import { startWholeGateway, type WholeGateway } from '../testing/whole-gateway.ts'
import { bankOrderOf } from './bank-order.ts'
import { findPaymentsOf } from './find-payments.ts'
import { initiationStatements } from './initiation-store.ts'
import { keepAcceptanceOf } from './keep-acceptance.ts'
import type { Payment } from './payment.ts'
import { settleAsNeverTaken } from './settle-unknown-outcome.ts'

let gateway: WholeGateway
let headers: Record<string, string>
let partnerId: string
beforeAll(async () => {
  gateway = await startWholeGateway()
  headers = await soundHeaders(gateway, (await acceptedConsent(gateway)).consentId)
  const { rows } = await gateway.context.database.pool.query('select id from partners')
  partnerId = rows[0].id
})
afterAll(() => gateway.close())

/** An order that the bank took and whose answer is still on its way to a process that was held up. */
async function answerOnItsWay() {
  await atBank(gateway.bank).strike({ operation: 'initiatePayment', effect: 'drop-connection', times: 1 })
  const { body } = await ask(gateway, ['POST', '/api/v2/payments'], { headers, body: domesticPayment(gateway) })
  await atBank(gateway.bank).heal()
  const bankPaymentId = (await atBank(gateway.bank).payments()).at(-1)?.paymentId ?? ''
  const paymentId = String(Object(body).paymentId)
  return { paymentId, arrive: async () => await arrive(await find(paymentId), bankPaymentId) }
}

async function arrive(payment: Payment, bankPaymentId: string) {
  const { keepAcceptance } = initiationStatements(gateway.context.database)
  const order = bankOrderOf(payment.ordered, payment.countryCode)
  const intent = {
    partnerId,
    paymentId: payment.id,
    order,
    bankRequestId: newId(),
    notification: '',
    duplicateOf: null,
  }
  const observation = { status: 'Unsigned', statusReason: null, statusReasonText: null, bankStatus: 'RCVD' } as const
  const taken = { bankPaymentId, observation }
  return await keepAcceptanceOf(gateway.context, intent, taken, { keepAcceptance, idempotent: null })
}

async function find(paymentId: string): Promise<Payment> {
  const [payment] = await findPaymentsOf(gateway.context, partnerId, [paymentId])
  if (payment === undefined) {
    throw new Error('The payment is not there')
  }
  return payment
}

const tasksOf = async (paymentId: string) =>
  (await openTasks(gateway.context)).filter(({ subjectId }) => subjectId === paymentId).map(({ kind }) => kind)

describe('an answer that comes late', () => {
  test('settles an outcome that was given up, and closes its task', async () => {
    const { paymentId, arrive } = await answerOnItsWay()
    expect(await tasksOf(paymentId)).toEqual(['UnknownOutcome'])
    expect(await arrive()).toMatchObject({ paymentId, paymentStatus: { status: 'Unsigned' } })
    expect(await find(paymentId)).toMatchObject({ outcome: 'known', status: 'Unsigned' })
    expect(await tasksOf(paymentId)).toEqual([])
  })

  test('counts more than two people who said that the bank never took the order, and is told to the operator', async () => {
    const { paymentId, arrive } = await answerOnItsWay()
    await settleAsNeverTaken(gateway.context, await find(paymentId))
    expect(await find(paymentId)).toMatchObject({ outcome: 'void', status: 'Rejected' })
    await arrive()
    expect(await find(paymentId)).toMatchObject({ outcome: 'known', status: 'Unsigned' })
    expect(await tasksOf(paymentId)).toContain('UnexpectedStatus')
  })
})
