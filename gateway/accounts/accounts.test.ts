/** Tests which accounts a consent includes, and which requests about them are rejected. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../contract/accounts.ts'
import type { Bank } from '../banks/connector/bank.ts'
import type { BankAccountList } from '../banks/connector/bank-account.ts'
import type { BankCaller } from '../banks/connector/connector.ts'
import { countSideEffects, sendRawRequest, UNKNOWN_ID, validHeaders } from '../testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment, KARI, MAIN_ACCOUNT, OLA } from '../testing/payments/sample-payments.ts'

let gateway: TestGateway
let headers: Record<string, string>
beforeAll(async () => {
  gateway = await startTestGateway()
  headers = await validHeaders(gateway, (await acceptedConsent(gateway)).consentId)
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
    const { consentId } = await acceptedConsent(gateway, OLA)
    const rename = async (name: string) =>
      await gateway.context.database.pool.query('update companies set name = $1 where organisation_number = $2', [
        name,
        '987654325',
      ])
    const excluded = async () => {
      const accounts = await accountsUnder(consentId)
      return [accounts.length, (await gateway.client.getConsent({ consentId })).excludedAccounts?.count ?? 0]
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
    const { consentId } = await acceptedConsent(gateway, OLA)
    const [first, again, under] = [await accountsUnder(own), await accountsUnder(own), await accountsUnder(consentId)]
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
  const { consentId, psu } = await acceptedConsent(gateway, OLA)
  const before = await accountsUnder(consentId)
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
  const listed = await accountsUnder(consentId)
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
  const changes = { 'consent-id': consentId }
  expect(await balanceOf(id, changes)).toMatchObject(unsupported)
  const entries = `/api/v2/accounts/${id}/entries?fromDate=2026-11-01&toDate=2026-11-02`
  expect(await sendRawRequest(gateway, ['GET', entries], { headers: { ...headers, ...changes } })).toMatchObject(
    unsupported,
  )
  const body = domesticPayment(gateway)
  await gateway.client.initiateDomesticPayment({
    consentId,
    psu,
    body: { ...body, from: { ...body.from, account: { type: 'bban', bban } } },
  })
})

describe('a balance', () => {
  test('is returned for an account on the consent', async () => {
    const [account] = await accountsUnder(headers['consent-id'] ?? '')
    expect(await balanceOf(account?.id ?? '')).toMatchObject({
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

  test.each(['not-an-id', MAIN_ACCOUNT, UNKNOWN_ID, "'%20or%201=1"])(
    'of %s: INVALID_ACCOUNT, and the bank is not called',
    async (id) => {
      const before = await countSideEffects(gateway)
      expect(await balanceOf(id)).toMatchObject({ status: 400, body: { failure: 'INVALID_ACCOUNT' } })
      expect(await countSideEffects(gateway)).toEqual(before)
    },
  )

  test('of U+0000: 404', async () => {
    expect(await balanceOf('%00')).toMatchObject({ status: 404 })
  })

  test('of another partner’s account: INVALID_ACCOUNT, as for an unknown account', async () => {
    const other = await gateway.otherPartner()
    const consented = await acceptedConsent(other, OLA)
    const [theirs] = (await other.client.listAccounts(consented)).accounts
    const before = await countSideEffects(gateway)
    const message = 'The consent has no account with this id; GET /api/v2/accounts lists its accounts'
    const rejected = { status: 400, body: { failure: 'INVALID_ACCOUNT', message } }
    expect(await balanceOf(theirs?.id ?? '')).toMatchObject(rejected)
    expect(await balanceOf(UNKNOWN_ID)).toMatchObject(rejected)
    expect(await countSideEffects(gateway)).toEqual(before)
  })

  test('is returned four times a day without the user, and without a limit with the user: 429 with Retry-After in between', async () => {
    const { consentId } = await acceptedConsent(gateway, KARI)
    const consented = { 'consent-id': consentId }
    const [account] = await accountsUnder(consentId)
    const absent = { ...consented, 'psu-ip-address': undefined, 'psu-user-agent': undefined }
    const statuses: number[] = []
    for (let n = 0; n < 4; n += 1) {
      statuses.push((await balanceOf(account?.id ?? '', absent)).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200])
    const fifth = await balanceOf(account?.id ?? '', absent)
    expect(fifth.status).toBe(429)
    expect(Number(fifth.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await balanceOf(account?.id ?? '', consented)).toMatchObject({ status: 200 })
  })
})
