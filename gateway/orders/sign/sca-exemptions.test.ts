/** Tests banks that require no signature: approvals and cancellations end at once, without a redirect. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsentCaller, consentActorOf } from '../../consents/consent.ts'
import { consentOf } from '../../consents/consent-lookup.ts'
import type { Context } from '../../context.ts'
import { approvePayments } from '../../payments/approve-payments.ts'
import { cancelPayment } from '../../payments/cancel-payment.ts'
import { openScaBank, type ScaBank } from '../../testing/banks/sca-bank.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment, KARI, PSU } from '../../testing/payments/sample-payments.ts'

let gateway: TestGateway
let bank: ScaBank
let context: Context
let caller: ConsentCaller
let accepted: Awaited<ReturnType<typeof acceptedConsent>>
beforeAll(async () => {
  gateway = await startTestGateway()
  const { context: whole } = gateway
  bank = openScaBank({ approach: 'redirect', signers: 1, isMute: false, now: whole.clock.now })
  const row = (await whole.banks.find('FJORNO22')) ?? expect.fail('The bank does not exist')
  const connector = { ...whole.banks.connectorOf(row), ...bank.connector }
  context = { ...whole, banks: { ...whole.banks, connectorOf: () => connector } }
  accepted = await acceptedConsent(gateway, KARI)
  const { rows } = await whole.database.pool.query('select partner_id as id from consents')
  const partnerId: string = rows[0].id
  const consent = await consentOf(whole, { partnerId, consentId: accepted.consentId })
  const psu = { ...PSU, headers: {} }
  caller = {
    partnerId,
    partnerName: '',
    callbackOrigins: [],
    clientId: '',
    consent: consent ?? expect.fail('There is no consent'),
    psu,
  }
})
afterAll(() => gateway.close())

async function unsigned(): Promise<string> {
  return (await gateway.client.initiateDomesticPayment({ ...accepted, body: domesticPayment(gateway) })).paymentId
}

const approve = (payments: string[]) => approvePayments(context, caller, { payments, callbackUrl: CALLBACK })
const cancel = (paymentId: string) =>
  cancelPayment(context, consentActorOf(caller), { paymentId, callbackUrl: CALLBACK })

describe('a bank that exempts authorisations from SCA', () => {
  it('has an approval accepted at once, without a link', async () => {
    bank.exempting = true
    const approval = await approve([await unsigned()])
    expect(approval).toMatchObject({
      status: 'ACCEPTED',
      payments: [{ result: 'ACCEPTED', paymentStatus: { status: 'InProgress' } }],
    })
    expect(approval).not.toHaveProperty('sca')
  })

  it('executes a cancellation for which it would have required SCA at once, without a link', async () => {
    bank.exempting = true
    const paymentId = await unsigned()
    await approve([paymentId])
    const cancellation = await cancel(paymentId)
    expect(cancellation).toMatchObject({
      cancellationRequestStatus: 'ACCEPTED',
      currentPaymentStatus: { status: 'Cancelled' },
    })
    expect(cancellation.sca).toBeUndefined()
  })
})
