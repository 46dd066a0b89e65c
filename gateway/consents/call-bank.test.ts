/** Tests calls with expiring tokens: a rejected token ends its own consent, and nothing that replaced it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Bank } from '../banks/connector/bank.ts'
import { BankError } from '../banks/connector/bank-error.ts'
import type { Connector, DomesticPaymentProduct } from '../banks/connector/connector.ts'
import type { Context } from '../context.ts'
import { findPaymentOf } from '../orders/find-orders.ts'
import { pollPayment } from '../orders/status/poll-payment.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedWithoutBrowser, openPaymentDriver, type PaymentDriver } from '../testing/payments/payment-driver.ts'
import type { BankTokenKey } from './tokens/bank-token-store.ts'
import { storeBankTokens } from './tokens/bank-tokens.ts'
import { getBankAccessToken, renewRejectedToken } from './tokens/renew-bank-tokens.ts'

/** Every call there requires a token, and its users have one consent at a time. */
const PRE_STEP = nordicBank('NORDSESS')

/** The user signs a payment by a grant of its own. */
const INTEGRATED = nordicBank('ELVANO22')

let gateway: TestGateway
/** Pays at the other bank under one consent. */
let payer: PaymentDriver
let partnerId: string
let bank: Bank
beforeAll(async () => {
  gateway = await startTestGateway()
  payer = openPaymentDriver(gateway)
  const rows = await query<{ id: string }>("select id from partners where name = 'Demo partner'")
  partnerId = rows[0]?.id ?? ''
  bank = (await gateway.context.banks.find(PRE_STEP.bic)) ?? expect.fail('The bank is not there')
})
afterAll(() => gateway.close())

async function query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await gateway.context.database.pool.query<Row>(text, [...values])).rows
}

const accepted = () => acceptedWithoutBrowser(gateway, PRE_STEP.users[0], PRE_STEP)
const tokenOf = (consentId: string) =>
  getBankAccessToken(gateway.context, bank, { partnerId, subjectId: consentId }, { isReplaceable: false })

async function stateOf(consentId: string) {
  const { status, statusReason } = await gateway.client.getConsent({ consentId })
  return { status, statusReason }
}

/** An hour of wall time passes for its access token, and another request has it refreshed. */
async function renewedMeanwhile(consentId: string): Promise<void> {
  const tokens = '(select token_id from bank_token_subjects where subject_id = $1)'
  await query(`update bank_tokens set expires_at = '2026-01-01T00:00Z' where id in ${tokens}`, [consentId])
  await tokenOf(consentId)
}

/** A gateway whose bank connector has the given reads. */
function reading(read: DomesticPaymentProduct['read']): Context {
  return withConnector(({ domesticPayments }) => ({
    ...(domesticPayments && { domesticPayments: { ...domesticPayments, read } }),
  }))
}

/** A gateway whose bank connector has other parts. */
function withConnector(partsOf: (connector: Connector) => Partial<Connector>): Context {
  const { banks } = gateway.context
  const connectorOf = (at: Bank): Connector => ({ ...banks.connectorOf(at), ...partsOf(banks.connectorOf(at)) })
  return { ...gateway.context, banks: { ...banks, connectorOf } }
}

const REJECTED = () => new BankError('token-invalid', 'The token has ended')

it('of two payments polled at once under an ended consent, neither ends the consent that renewed it', async () => {
  const payer = openPaymentDriver(gateway)
  const { consentId: old } = await payer.consentOf(PRE_STEP)
  const paymentIds = [(await payer.order(PRE_STEP)).paymentId, (await payer.order(PRE_STEP)).paymentId] as const
  const ended = await tokenOf(old)
  const { consentId: renewed } = await accepted()
  // The state before Havn has detected that the bank has ended the older one.
  await query("update consents set status = 'ACCEPTED', status_reason = null, updated_at = created_at where id = $1", [
    old,
  ])
  const [first, second] = await Promise.all(paymentIds.map((id) => findPaymentOf(gateway.context, partnerId, id)))
  const [isSecondAsking, isFirstDone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const context = reading(async ({ accessToken }, { bankPaymentId }) => {
    if (bankPaymentId === first?.bankPaymentId) {
      await isSecondAsking.promise
    } else if (accessToken === ended) {
      isSecondAsking.resolve()
      await isFirstDone.promise
    }
    if (accessToken === ended) {
      throw REJECTED()
    }
    return IN_PROGRESS
  })
  const polled = [first, second].map(async (payment) =>
    pollPayment(context, payment ?? expect.fail('The payment is not there')),
  )
  await polled[0]
  isFirstDone.resolve()
  expect(await polled[1]).toMatchObject({ status: 'InProgress' })
  expect(await stateOf(old)).toEqual({ status: 'REVOKED', statusReason: 'REPLACED_BY_NEW_CONSENT' })
  expect(await stateOf(renewed)).toMatchObject({ status: 'ACCEPTED' })
})

it('a token that another request refreshed meanwhile is replaced by that one, and not refreshed again', async () => {
  const { consentId } = await accepted()
  const rejected = await tokenOf(consentId)
  await renewedMeanwhile(consentId)
  const renewed = await tokenOf(consentId)
  const key = { partnerId, subjectId: consentId }
  const replacements = [1, 2].map(() => renewRejectedToken(gateway.context, bank, key, rejected ?? ''))
  expect(new Set(await Promise.all(replacements))).toEqual(new Set([renewed]))
})

it('a token that several requests find rejected is refreshed once', async () => {
  const { consentId } = await accepted()
  const rejected = await tokenOf(consentId)
  const key = { partnerId, subjectId: consentId }
  const replacements = [1, 2, 3].map(() => renewRejectedToken(gateway.context, bank, key, rejected ?? ''))
  const [token, ...others] = new Set(await Promise.all(replacements))
  expect([others, token === rejected, token === (await tokenOf(consentId))]).toEqual([[], false, true])
})

it('an older consent whose tokens its bank has ended is reported as replaced once the newer one is accepted', async () => {
  const { consentId: older } = await accepted()
  await query('update sandbox_bank.oauth_grants set ended_at = now() where ended_at is null and bank = $1', [
    PRE_STEP.bic,
  ])
  const { consentId: newer } = await accepted()
  expect(await stateOf(older)).toEqual({ status: 'REVOKED', statusReason: 'REPLACED_BY_NEW_CONSENT' })
  expect(await stateOf(newer)).toMatchObject({ status: 'ACCEPTED' })
  const due = "select from consents where id = $1 and due_at = valid_until - interval '7 days'"
  expect(await query(due, [newer])).toHaveLength(1)
})

describe('tokens that a payment got during a call', () => {
  it('stay when they were stored after the call had begun', async () => {
    const key = await orderedPayment()
    const context = reading(async ({ accessToken }) => {
      if (accessToken !== 'new') {
        await store(key, 'new')
        throw REJECTED()
      }
      return IN_PROGRESS
    })
    expect(await polled(context, key)).toMatchObject({ status: 'InProgress' })
    expect(await paymentToken(gateway.context, key)).toBe('new')
  })

  it('stay when the bank rejects those that it had before, twice', async () => {
    const key = await orderedPayment()
    await store(key, 'old')
    const used: unknown[] = []
    const context = reading(async ({ accessToken }) => {
      used.push(accessToken)
      if (accessToken !== 'new') {
        if (used.length === 2) {
          await store(key, 'new')
        }
        throw REJECTED()
      }
      return IN_PROGRESS
    })
    expect(await polled(context, key)).toMatchObject({ status: 'InProgress' })
    expect([used, await paymentToken(gateway.context, key)]).toEqual([['old', 'old', 'new'], 'new'])
  })

  it('stay when the bank rejects the renewal of those that it had before', async () => {
    const key = await orderedPayment()
    await store(key, 'old', Temporal.Now.instant().subtract({ hours: 1 }))
    const context = withConnector(({ oauth }) => ({
      ...(oauth && {
        oauth: {
          ...oauth,
          refresh: async () => {
            await store(key, 'new')
            throw REJECTED()
          },
        },
      }),
    }))
    expect(await paymentToken(context, key)).toBe(null)
    expect(await paymentToken(gateway.context, key)).toBe('new')
  })
})

const IN_PROGRESS = { status: 'InProgress', statusReason: null, statusReasonText: null, bankStatus: 'ACSP' } as const

async function orderedPayment(): Promise<BankTokenKey> {
  return { partnerId, subjectId: (await payer.order(INTEGRATED)).paymentId }
}

async function store({ subjectId }: BankTokenKey, accessToken: string, expiresAt = IN_AN_HOUR()): Promise<void> {
  const server = { metadata: 'http://127.0.0.1/metadata', issuer: 'http://127.0.0.1' }
  const tokens = { accessToken, refreshToken: 'refresh', server, expiresAt }
  await storeBankTokens(gateway.context, { partnerId, subjectIds: [subjectId] }, tokens)
}

const IN_AN_HOUR = () => Temporal.Now.instant().add({ hours: 1 })

async function paymentToken(context: Context, key: BankTokenKey): Promise<string | null> {
  const at = (await context.banks.find(INTEGRATED.bic)) ?? expect.fail('The bank is not there')
  return await getBankAccessToken(context, at, key, { isReplaceable: true })
}

async function polled(context: Context, { subjectId }: BankTokenKey) {
  return await pollPayment(context, await findPaymentOf(gateway.context, partnerId, subjectId))
}
