/** Tests which accounts a consent includes, and which requests about them are rejected. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../contract/accounts.ts'
import type { Bank } from '../banks/connector/bank.ts'
import type { BankAccountList } from '../banks/connector/bank-account.ts'
import type { BankCaller } from '../banks/connector/connector.ts'
import { ibanOf } from '../countries/account-number.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { countSideEffects, sendRawRequest, UNKNOWN_ID, validHeaders } from '../testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver } from '../testing/payments/payment-driver.ts'
import { acceptedConsent, domesticPayment, MAIN_ACCOUNT, OLA, PSU } from '../testing/payments/sample-payments.ts'

/** Returns IBANs only, without the clearing number. */
const IBAN_ONLY = nordicBank('SKARSESS')

let gateway: TestGateway
let headers: Record<string, string>
/** The consent of another user. */
let consentOfOla: string
beforeAll(async () => {
  gateway = await startTestGateway()
  headers = await validHeaders(gateway, (await acceptedConsent(gateway)).consentId)
  consentOfOla = (await acceptedConsent(gateway, OLA)).consentId
})
afterAll(() => gateway.close())

async function accountsUnder(consentId: string): Promise<readonly Account[]> {
  const psu = { ipAddress: '127.0.0.1', userAgent: 'x' }
  return (await gateway.client.listAccounts({ consentId, psu })).accounts
}

const byId = (one: Account, other: Account) => one.id.localeCompare(other.id)

const balanceOf = (id: string, changes: Record<string, string | undefined> = {}) =>
  sendRawRequest(gateway, ['GET', `/api/v2/accounts/${id}/balance`], { headers: { ...headers, ...changes } })

describe('the list', () => {
  test('holds the company’s accounts, and not those of another company of the user', async () => {
    const accounts = await accountsUnder(headers['consent-id'] ?? '')
    expect(accounts.map(({ bban }) => bban).toSorted()).toEqual([
      MAIN_ACCOUNT,
      '80501100025',
      '80501100033',
      '80501100041',
      '80501100068',
      '80501100076',
      '80501100084',
    ])
    expect(new Set(accounts.map(({ ownerName }) => ownerName))).toEqual(new Set(['Nordlys Handel AS']))
    const consent = await gateway.client.getConsent({ consentId: headers['consent-id'] ?? '' })
    expect(consent.excludedAccounts).toEqual({ count: 1, reason: 'ANOTHER_OWNER' })
  })

  test('follows the name of the company, and the consent counts what it does not include', async () => {
    const rename = async (name: string) =>
      await gateway.context.database.pool.query('update companies set name = $1 where organisation_number = $2', [
        name,
        '987654325',
      ])
    const excluded = async () => {
      const accounts = await accountsUnder(consentOfOla)
      const { excludedAccounts } = await gateway.client.getConsent({ consentId: consentOfOla })
      return [accounts.length, excludedAccounts?.count ?? 0]
    }
    const [own = 0, others = 0] = await excluded()
    await rename('A/S NORDLYS  HANDEL\u00ad')
    expect(await excluded()).toEqual([own, others])
    await rename('Vestavind Handel AS')
    expect(await excluded()).toEqual([0, own + others])
    await rename('Nordlys Handel AS')
    expect(await excluded()).toEqual([own, others])
  })

  test('keeps an account’s stableId under every consent, and its id under one', async () => {
    const own = headers['consent-id'] ?? ''
    const [first, again] = [await accountsUnder(own), await accountsUnder(own)]
    const under = await accountsUnder(consentOfOla)
    const ids = (accounts: readonly Account[]) => accounts.map(({ id }) => id).toSorted()
    const stableIds = (accounts: readonly Account[]) => accounts.map(({ stableId }) => stableId).toSorted()
    expect(ids(again)).toEqual(ids(first))
    expect(stableIds(under)).toEqual(stableIds(first))
    expect(ids(under)).not.toEqual(ids(first))
  })

  test('is rejected with 403 once the company’s subscription has ended', async () => {
    const set = (active: boolean) =>
      gateway.context.database.pool.query('update companies set active_subscription = $1', [active])
    await set(false)
    const before = await countSideEffects(gateway)
    const answer = await sendRawRequest(gateway, ['GET', '/api/v2/accounts'], { headers })
    expect(await countSideEffects(gateway)).toEqual(before)
    await set(true)
    expect(answer).toMatchObject({
      status: 403,
      body: { message: 'The subscription of Nordlys Handel AS is not active' },
    })
  })
})

test('an account without an id of its own at its bank can pay, and stays while the list cannot be read', async () => {
  const before = await accountsUnder(consentOfOla)
  const { banks } = gateway.context
  const { connectorOf } = banks
  const list = (change: (listed: BankAccountList) => BankAccountList) =>
    Object.assign(banks, {
      connectorOf: (bank: Bank) => {
        const { accounts, ...connector } = connectorOf(bank)
        return {
          ...connector,
          accounts: accounts && {
            ...accounts,
            list: async (caller: BankCaller) => change(await accounts.list(caller)),
          },
        }
      },
    })
  list(({ accounts: [first, second, ...others] }) => ({
    accounts: [...(second === undefined ? [] : [{ ...second, resourceId: null }]), ...others],
    complete: first === undefined,
  }))
  const listed = await accountsUnder(consentOfOla)
  Object.assign(banks, { connectorOf })
  expect(listed.toSorted(byId)).toEqual(before.toSorted(byId))
  const { rows } = await gateway.context.database.pool.query<{ id: string; bban: string }>(
    "select id, bban from consent_accounts where resource_id = ''",
  )
  const [{ id, bban } = expect.fail('Every account has an id')] = rows
  const unsupported = {
    status: 400,
    body: { failure: 'UNSUPPORTED_PRODUCT_BY_BANK', message: expect.stringContaining('without an id of its own') },
  }
  const changes = { 'consent-id': consentOfOla }
  expect(await balanceOf(id, changes)).toMatchObject(unsupported)
  const entries = `/api/v2/accounts/${id}/entries?fromDate=2026-11-01&toDate=2026-11-02`
  expect(await sendRawRequest(gateway, ['GET', entries], { headers: { ...headers, ...changes } })).toMatchObject(
    unsupported,
  )
  const body = domesticPayment(gateway)
  await gateway.client.initiateDomesticPayment({
    consentId: consentOfOla,
    psu: PSU,
    body: { ...body, from: { ...body.from, account: { type: 'bban', bban } } },
  })
})

test('an account that its bank reports by IBAN only is listed by IBAN, and pays by either field of the list', async () => {
  const payer = openPaymentDriver(gateway)
  const { accounts } = await gateway.client.listAccounts(await payer.consentOf(IBAN_ONLY))
  expect(accounts.length).toBeGreaterThan(3)
  const viewOnly = ibanOf('SE', IBAN_ONLY.viewOnly)
  const payable = accounts.filter(({ iban, currency }) => currency === 'SEK' && iban !== viewOnly)
  expect(payable.length).toBeGreaterThan(2)
  for (const { bban, iban = '' } of accounts) {
    expect(bban).toBe(iban)
    expect(bban).toMatch(/^SE\d{22}$/)
  }
  for (const { bban, iban = '', currency } of payable) {
    for (const number of [bban, iban.replaceAll(/(.{4})/g, '$1 ')]) {
      const from = {
        account: { type: 'bban' as const, bban: number },
        contactInformation: { name: 'Norrsken' },
        currency,
      }
      expect((await payer.order(IBAN_ONLY, { from })).paymentId).toMatch(/^[0-9a-f-]{36}$/)
    }
  }
})

describe('a balance', () => {
  test('is returned for an account on the consent, however its id is written', async () => {
    const [account] = await accountsUnder(headers['consent-id'] ?? '')
    expect(await balanceOf(account?.id.toUpperCase() ?? '')).toMatchObject({
      status: 200,
      body: { bookedBalance: { amount: expect.stringMatching(/^\d+\.\d\d$/), currency: 'NOK' } },
    })
  })

  test('is rejected with 403 once the company’s subscription has ended, and the bank is not called', async () => {
    const [account] = await accountsUnder(headers['consent-id'] ?? '')
    const set = (active: boolean) =>
      gateway.context.database.pool.query('update companies set active_subscription = $1', [active])
    await set(false)
    const before = await countSideEffects(gateway)
    const answer = await balanceOf(account?.id ?? '')
    expect(await countSideEffects(gateway)).toEqual(before)
    await set(true)
    expect(answer).toMatchObject({
      status: 403,
      body: { message: 'The subscription of Nordlys Handel AS is not active' },
    })
  })

  test.each(['not-an-id', MAIN_ACCOUNT, UNKNOWN_ID, "'%20or%201=1", '', '%00'])(
    'of “%s”: INVALID_ACCOUNT, and the bank is not called',
    async (id) => {
      const before = await countSideEffects(gateway)
      expect(await balanceOf(id)).toMatchObject({ status: 400, body: { failure: 'INVALID_ACCOUNT' } })
      expect(await countSideEffects(gateway)).toEqual(before)
    },
  )

  test('of another partner’s account: INVALID_ACCOUNT, as for an unknown account', async () => {
    const other = await gateway.otherPartner()
    // A consent of the user at the same bank would replace that of this partner.
    const consented = await acceptedConsent(other, OLA, { bic: 'FJELNO22' })
    const [theirs] = (await other.client.listAccounts(consented)).accounts
    const before = await countSideEffects(gateway)
    const message = 'The consent has no account with this id; GET /api/v2/accounts lists its accounts'
    const rejected = { status: 400, body: { failure: 'INVALID_ACCOUNT', message } }
    expect(await balanceOf(theirs?.id ?? '')).toMatchObject(rejected)
    expect(await balanceOf(UNKNOWN_ID)).toMatchObject(rejected)
    expect(await countSideEffects(gateway)).toEqual(before)
  })
})
