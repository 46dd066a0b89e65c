/** Tests renewing a consent: without a gap, with operations in progress and stable account ids. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Account } from '../../contract/accounts.ts'
import { isTestedAmong } from '../../sandbox/testing/tested-banks.ts'
import { nordicBank, nordicBanks } from '../testing/banks/nordic-banks.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedWithoutBrowser, openPaymentDriver, type PaymentDriver } from '../testing/payments/payment-driver.ts'
import { CALLBACK, PSU } from '../testing/payments/sample-payments.ts'

/** A bank that ends the older consent of a user, and one that requires users to sign in first. */
const REPLACING = nordicBank('FJORNO22')
const PRE_STEP = nordicBank('NORDSESS')

let gateway: TestGateway
let payer: PaymentDriver
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())
beforeEach(() => {
  payer = openPaymentDriver(gateway)
})

async function query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await gateway.context.database.pool.query<Row>(text, [...values])).rows
}

const stateOf = async (consentId: string) => {
  const { status, statusReason } = await gateway.client.getConsent({ consentId })
  return { status, statusReason }
}

describe('a consent that ends within seven days', () => {
  it('reports it where it is read, listed and measured, and no longer once it was renewed', async () => {
    const { bic, organizationNumber, users } = REPLACING
    const older = await acceptedWithoutBrowser(gateway, users[0], REPLACING)
    const { validUntil } = await gateway.client.getConsent(older)
    const lastWeek = Temporal.Instant.from(validUntil).subtract({ hours: 7 * 24 - 1 })
    expect((await gateway.client.getConsent(older)).notices).toEqual([])
    await query('update consents set valid_until = $1 where id = $2', [
      gateway.context.clock.now().add({ hours: 48 }).toString(),
      older.consentId,
    ])
    const { notices } = await gateway.client.getConsent(older)
    expect(notices).toMatchObject([{ code: 'CONSENT_EXPIRING' }])
    expect(Temporal.Instant.compare(lastWeek, gateway.context.clock.now())).toBeGreaterThan(0)
    const listed = await gateway.client.listConsents({ query: { organizationNumber } })
    expect(listed.find(({ id }) => id === older.consentId)?.notices).toEqual(notices)
    expect(await measured(bic)).toBe(1)
    await acceptedWithoutBrowser(gateway, users[0], REPLACING)
    expect((await gateway.client.getConsent(older)).notices).toEqual([])
    expect(await measured(bic)).toBeUndefined()
  })

  async function measured(bic: string): Promise<number | undefined> {
    const text = await (await fetch(`${gateway.url}/metrics`)).text()
    const found = new RegExp(`havn_consents_expiring\\{bank="${bic}"\\} (\\d+)`).exec(text)
    return found === null ? undefined : Number(found[1])
  }
})

describe('while a new consent waits for its user', () => {
  it('the old one stays usable, and from the acceptance on it is rejected with its status', async () => {
    const { bic, organizationNumber, users } = REPLACING
    const old = await payer.consentOf(REPLACING)
    const body = { bic, organizationNumber, userId: users[0], callbackUrl: CALLBACK }
    const requested = await gateway.client.createConsent({ psu: PSU, body })
    const { paymentId } = await payer.order(REPLACING)
    expect((await payer.sign(REPLACING, paymentId)).status).toBe('InProgress')
    expect(await stateOf(old.consentId)).toMatchObject({ status: 'ACCEPTED' })
    await gateway.client.decideSandboxConsent({ params: { consentId: requested.id, decision: 'sign' }, body: {} })
    expect(await stateOf(old.consentId)).toEqual({ status: 'REVOKED', statusReason: 'REPLACED_BY_NEW_CONSENT' })
    await expect(payer.order(REPLACING)).rejects.toMatchObject({
      failure: 'INVALID_CONSENT',
      message: expect.stringMatching(/^The consent has been REVOKED \(REPLACED_BY_NEW_CONSENT\) since 2\d{3}-/),
    })
    expect((await payer.settled(paymentId)).status).toBe('Completed')
  })
})

describe('an approval in progress while the consent is renewed', () => {
  it.each([REPLACING, PRE_STEP])('at $bic ends as its user decides, and is read under the new consent', async (at) => {
    const old = await payer.consentOf(at)
    const { paymentId } = await payer.order(at)
    const body = { payments: [paymentId], callbackUrl: CALLBACK }
    const { id } = await gateway.client.approvePayments({ ...old, body })
    const renewed = await acceptedWithoutBrowser(gateway, at.users[0], at)
    const { outcome } = await gateway.client.decideSandboxApproval({
      params: { approvalId: id, decision: 'sign' },
      body: { userId: at.users[0] },
    })
    expect(outcome).toBe('success')
    const shown = await gateway.client.getPaymentApproval({ ...renewed, params: { approvalId: id } })
    expect(shown.status).toBe('ACCEPTED')
    expect((await payer.statusOf(paymentId)).status).toBe('InProgress')
  })
})

describe('a payment at a bank that requires tokens for every call', () => {
  it('is polled with the consent that renewed its own, whose tokens are deleted', async () => {
    const old = await payer.consentOf(PRE_STEP)
    const { paymentId } = await payer.order(PRE_STEP)
    await payer.sign(PRE_STEP, paymentId)
    await gateway.client.revokeConsent(old)
    const renewed = await acceptedWithoutBrowser(gateway, PRE_STEP.users[0], PRE_STEP)
    await query('delete from bank_token_subjects where subject_id = $1', [old.consentId])
    expect((await payer.settled(paymentId)).status).toBe('Completed')
    expect(await stateOf(renewed.consentId)).toMatchObject({ status: 'ACCEPTED' })
  })
})

/** Accounts have national numbers at one, and IBANs at the other. */
const DISTINCT = ['HAVBNO22', 'PAIJFIHH']
const testedBanks = nordicBanks.filter(({ bic }) => isTestedAmong(DISTINCT, bic))

describe('an account', () => {
  it.each(testedBanks)('at $bic has one stableId under an old consent and under the new one', async (at) => {
    const accountsUnder = async () => {
      const { accounts } = await gateway.client.listAccounts(await acceptedWithoutBrowser(gateway, at.users[0], at))
      return new Map(accounts.map((account) => [account.stableId, account]))
    }
    const [older, newer] = [await accountsUnder(), await accountsUnder()]
    expect(older.size).toBeGreaterThan(1)
    const named = (accounts: ReadonlyMap<string, Account>) =>
      [...accounts].map(([stableId, { bban, iban, currency }]) => ({ stableId, bban, iban, currency })).toSorted(byId)
    expect(named(newer)).toEqual(named(older))
    const ids = [...older.values()].map(({ id }) => id)
    expect([...newer.values()].filter(({ id }) => ids.includes(id))).toEqual([])
  })

  function byId(one: { readonly stableId: string }, other: { readonly stableId: string }): number {
    return one.stableId < other.stableId ? -1 : 1
  }
})

describe('a company that is registered for account information only', () => {
  it('has consents, accounts and balances; its payments are rejected with what is missing', async () => {
    const at = nordicBank('HAVBNO22')
    const set = (services: string, onboarded: boolean) =>
      query('update companies set services = $1, onboarded = $2 where organisation_number = $3', [
        services,
        onboarded,
        at.organizationNumber,
      ])
    await set('{AIS}', false)
    try {
      const consented = await payer.consentOf(at)
      const [account] = (await gateway.client.listAccounts(consented)).accounts
      const params = { accountId: account?.id ?? '' }
      expect((await gateway.client.getAccountBalance({ ...consented, params })).bookedBalance?.currency).toBe('NOK')
      await expect(payer.order(at)).rejects.toMatchObject({
        status: 403,
        message: 'Nordlys Handel AS is registered for account information only; payments need onboarding',
      })
    } finally {
      await set('{AIS,PIS}', true)
    }
    await payer.order(at)
  })
})
