/** Guarantees of what comes after: signatures that the bank took late are looked for until it answers, and a crash leaves nothing open. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { approvalSigning } from '../approvals/approval-signing.ts'
import { newId } from '../platform/ids.ts'
import { keepSigning, prepareSigning } from '../signing/prepare-signing.ts'
import type { SigningKind } from '../signing/signing.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { type AtBank, atBank } from '../testing/banks/sandbox-bank-control.ts'
import { startWholeGateway, type WholeGateway } from '../testing/gateway/test-gateway.ts'
import { openPayer, type Payer } from '../testing/payments/payment-driver.ts'
import { CALLBACK, KARI } from '../testing/payments/sample-payments.ts'
import { findSigning } from './store/sca-session-store.ts'

const AURA = nordicBank('AURAFIHH')

let gateway: WholeGateway
let bank: AtBank
let payer: Payer
beforeAll(async () => {
  gateway = await startWholeGateway()
  bank = atBank(gateway.bank)
  payer = openPayer(gateway)
})
beforeEach(() => bank.heal())
afterAll(() => gateway.close())

const advance = (by: string) => gateway.client.moveSandboxClock({ body: { advance: by } })

/** A payment whose approval was closed unsigned, and signed after that, while the bank does not say so. */
async function signedLate(): Promise<string> {
  const { paymentId } = await payer.order(AURA)
  const body = { payments: [paymentId], callbackUrl: CALLBACK }
  await gateway.client.approvePayments({ ...(await payer.consentOf(AURA)), body })
  const { rows } = await gateway.context.database.pool.query<{ id: string }>(
    "update sandbox_bank.authorisations set due_at = due_at + interval '1 hour' where outcome is null returning id",
  )
  await advance('PT11M')
  await bank.tell(`/authorisations/${rows.at(-1)?.id}/sign`)
  await bank.tell('/faults', { bank: AURA.bic, operation: 'getPaymentScaStatus', effect: 'status', status: 500 })
  await advance('PT6M')
  expect((await payer.statusOf(paymentId)).status).toBe('Unsigned')
  return paymentId
}

async function isLookedFor(): Promise<boolean> {
  const { rows } = await gateway.context.database.pool.query(
    "select 1 from signings where status = 'ended' and due_at is not null",
  )
  return rows.length > 0
}

async function ownPartner(): Promise<string> {
  const { rows } = await gateway.context.database.pool.query<{ id: string }>('select partner_id as id from consents')
  return rows[0]?.id ?? ''
}

it('a signature that came late is found once a bank that was away answers', async () => {
  const paymentId = await signedLate()
  await bank.heal()
  await advance('PT1M')
  expect((await payer.statusOf(paymentId)).status).toBe('InProgress')
  expect(await isLookedFor()).toBe(false)
})

it('a signature that came late is looked for during some hours, and not for ever', async () => {
  await signedLate()
  expect(await isLookedFor()).toBe(true)
  await gateway.context.database.pool.query("update signings set ended_at = ended_at - interval '6 hours'")
  await advance('PT5M')
  expect(await isLookedFor()).toBe(false)
})

it('a signing for which the bank wants no signature ends soon, though the process that kept it died', async () => {
  const { consentId } = await payer.consentOf(AURA)
  const partnerId = await ownPartner()
  const unasked: SigningKind['begin'] = async () => ({
    authorisationId: newId(),
    way: { type: 'none' },
    returnSecret: null,
  })
  const prepared = await prepareSigning(
    gateway.context,
    { ...approvalSigning(), begin: unasked },
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
  await gateway.context.database.query.transaction().execute((transaction) => keepSigning(transaction, prepared))
  await advance('PT10S')
  expect(await findSigning(gateway.context.database, prepared.signing)).toMatchObject({
    status: 'ended',
    outcome: 'success',
  })
})
