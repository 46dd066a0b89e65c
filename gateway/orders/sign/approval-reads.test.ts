/** Tests that an approval passes on the rows that it has read, from its start to the return of the user. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { handleBankReturn } from '../../authorisations/browser/handle-bank-return.ts'
import { findScaSessionByReturn } from '../../authorisations/find-sca-sessions.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import { consentOf } from '../../consents/consent-lookup.ts'
import type { Context } from '../../context.ts'
import { approvePayments } from '../../payments/approve-payments.ts'
import { loggedInAtBank } from '../../testing/browser/bank-user.ts'
import { type RecordingDatabase, recordingDatabase } from '../../testing/database/recording-database.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment, KARI, PSU } from '../../testing/payments/sample-payments.ts'
import { approvalScaSubject } from './approval-sca-subject.ts'

let gateway: TestGateway
let context: Context & { readonly database: RecordingDatabase }
let caller: ConsentCaller
let paymentId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  const { consentId } = await acceptedConsent(gateway)
  const body = domesticPayment(gateway)
  paymentId = (await gateway.client.initiateDomesticPayment({ consentId, psu: PSU, body })).paymentId
  context = { ...gateway.context, database: recordingDatabase(gateway.context.database.pool) }
  const { rows } = await context.database.pool.query<{ id: string }>('select partner_id as id from consents')
  const partnerId = rows[0]?.id ?? ''
  const consent = (await consentOf(context, { partnerId, consentId })) ?? expect.fail('There is no consent')
  caller = { partnerId, partnerName: '', callbackOrigins: [], clientId: '', consent, psu: { ...PSU, headers: {} } }
})
afterAll(() => gateway.close())

it('reads the payments to validate them and again under their leases, and nothing else twice', async () => {
  context.database.takeReads()
  const { sca } = await approvePayments(context, caller, { payments: [paymentId], callbackUrl: CALLBACK })
  const { payments, ...others } = context.database.takeReads()
  expect(payments).toBe(2)
  expect(others).toEqual({
    companies: 1,
    consent_accounts: 1,
    approval_payments: 1,
    sca_sessions: 1,
    approval_baskets: 1,
  })
  const { browser, address } = await loggedInAtBank(sca?.type === 'redirect' ? sca.url : '', KARI)
  const [, partnerId = '', scaSessionId = '', token = ''] =
    /signing\/(.*?)\/(.*?)\/return\/(.*)$/.exec(await browser.post(address, { decision: 'approve' })) ?? []
  const found = await findScaSessionByReturn(context, { partnerId, scaSessionId, token })
  const session = found ?? expect.fail('The browser was not redirected')
  context.database.takeReads()
  const returning = { returnToken: token, query: {}, browserToken: undefined }
  expect(await handleBankReturn(context, approvalScaSubject, session, returning)).toMatchObject({ outcome: 'success' })
  const { sca_sessions: sessions, sca_steps: steps, approvals, payments: orders } = context.database.takeReads()
  // The route has read the session with its steps; what decides and ends it compares its version.
  expect([sessions, steps]).toEqual([undefined, undefined])
  // Before the bank is called, and again once the outcome is claimed.
  expect([approvals, orders]).toEqual([2, 2])
})
