/** Tests late signatures: they are polled until the bank responds, and a crash leaves nothing open. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { approvalScaSubject } from '../orders/sign/approval-sca-subject.ts'
import { newId } from '../platform/ids.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver, type PaymentDriver } from '../testing/payments/payment-driver.ts'
import { CALLBACK, KARI } from '../testing/payments/sample-payments.ts'
import { findScaSession } from './find-sca-sessions.ts'
import type { ScaSubject } from './sca-session.ts'
import { prepareScaSession } from './start-sca-session.ts'
import { insertScaSession } from './store/sca-session-store.ts'

const AURA = nordicBank('AURAFIHH')

let gateway: TestGateway
let bank: SandboxBankControl
let payer: PaymentDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  bank = openSandboxBankControl(gateway.bank)
  payer = openPaymentDriver(gateway)
})
beforeEach(() => bank.clearFaults())
afterAll(() => gateway.close())

const advance = (duration: string) => passTime(gateway, duration)

/** A payment whose approval was closed unsigned, and which was signed after that without a report of the bank. */
async function onLateSignature(): Promise<string> {
  const { paymentId } = await payer.order(AURA)
  const body = { payments: [paymentId], callbackUrl: CALLBACK }
  await gateway.client.approvePayments({ ...(await payer.consentOf(AURA)), body })
  const { rows } = await gateway.context.database.pool.query<{ id: string }>(
    "update sandbox_bank.authorisations set due_at = due_at + interval '1 hour' where outcome is null returning id",
  )
  await advance('PT11M')
  await bank.postControl(`/authorisations/${rows.at(-1)?.id}/sign`)
  await bank.postControl('/faults', { bank: AURA.bic, operation: 'getPaymentScaStatus', effect: 'status', status: 500 })
  await advance('PT6M')
  expect((await payer.statusOf(paymentId)).status).toBe('Unsigned')
  return paymentId
}

async function isLookedFor(): Promise<boolean> {
  const { rows } = await gateway.context.database.pool.query(
    "select 1 from sca_sessions where status = 'ended' and due_at is not null",
  )
  return rows.length > 0
}

async function ownPartner(): Promise<string> {
  const { rows } = await gateway.context.database.pool.query<{ id: string }>('select partner_id as id from consents')
  return rows[0]?.id ?? ''
}

it('a late signature is found once an unavailable bank responds again', async () => {
  const paymentId = await onLateSignature()
  await bank.clearFaults()
  await advance('PT1M')
  expect((await payer.statusOf(paymentId)).status).toBe('InProgress')
  expect(await isLookedFor()).toBe(false)
})

it('a late signature is polled for some hours, not for ever', async () => {
  await onLateSignature()
  expect(await isLookedFor()).toBe(true)
  await gateway.context.database.pool.query("update sca_sessions set ended_at = ended_at - interval '6 hours'")
  await advance('PT5M')
  expect(await isLookedFor()).toBe(false)
})

it('an SCA session that the bank exempts ends soon, although the process that was storing it crashed', async () => {
  const { consentId } = await payer.consentOf(AURA)
  const partnerId = await ownPartner()
  const unasked: ScaSubject['begin'] = async () => ({
    authorisationId: newId(),
    approach: { type: 'none' },
    returnSecret: null,
  })
  const prepared = await prepareScaSession(
    gateway.context,
    { ...approvalScaSubject, begin: unasked },
    {
      partnerId,
      kind: 'approval',
      subjectId: newId(),
      consentId,
      bic: AURA.bic,
      callbackUrl: CALLBACK,
      expiresAt: gateway.context.clock.now().add({ minutes: 10 }),
      psu: null,
      userId: KARI,
      preferred: null,
      codeForPartner: false,
      steps: [{ targetType: 'payment', targetId: newId(), shown: [] }],
    },
  )
  await gateway.context.database.query
    .transaction()
    .execute((transaction) => insertScaSession({ query: transaction }, prepared.session))
  await advance('PT10S')
  expect(await findScaSession(gateway.context, prepared.session)).toMatchObject({
    status: 'ended',
    outcome: 'success',
  })
})
