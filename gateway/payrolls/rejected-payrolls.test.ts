/** Tests over HTTP whose payrolls are rejected, and why; nothing of them is stored, and errors repeat no value. */
import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import type { PayrollRequest } from '../../contract/payrolls/payroll-request.ts'
import { changeClientPermission, changePartnerPermission } from '../auth/client-permissions.ts'
import { requirePartner } from '../auth/list-partners.ts'
import { newId } from '../platform/ids.ts'
import { type NordicBank, nordicBank } from '../testing/banks/nordic-banks.ts'
import { type Answer, countSideEffects, sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { CALLBACK } from '../testing/payments/sample-payments.ts'
import { openPayrollFixture, PAYROLL_BANKS, type PayrollFixture, salary } from '../testing/payrolls/payroll-fixture.ts'

const TEST_MILLISECONDS = 60_000
const MEGABYTE = 1024 * 1024
const BULK_BANK = nordicBank(PAYROLL_BANKS.bulkOwnIds)
const BANK = nordicBank(PAYROLL_BANKS.bulk)
/** Accepts single payments only. */
const OTHER_BANK = nordicBank('FJORNO22')
/** The account of a municipality, which requires a KID. */
const OCR_ACCOUNT = '80513000026'

let gateway: TestGateway
let stage: PayrollFixture
beforeAll(async () => {
  gateway = await startTestGateway()
  stage = openPayrollFixture(gateway)
  await stage.payer.nextMorning()
  // They are required before anything is counted.
  for (const bank of [BANK, BULK_BANK, OTHER_BANK]) {
    await stage.payer.consentOf(bank)
  }
}, TEST_MILLISECONDS)
afterAll(() => gateway.close())

async function send(bank: NordicBank, body: unknown, path = '/api/v2/payroll'): Promise<Answer> {
  const { consentId } = await stage.payer.consentOf(bank)
  return await sendRawRequest(gateway, ['POST', path], { headers: await validHeaders(gateway, consentId), body })
}

/** The response of a rejection, which leaves nothing behind. */
async function rejected(...sent: Parameters<typeof send>): Promise<Answer> {
  const before = await countSideEffects(gateway)
  const answer = await send(...sent)
  expect(await countSideEffects(gateway)).toEqual(before)
  return answer
}

/** The same for a rejection by the bank, which was called. */
async function rejectedByBank(...sent: Parameters<typeof send>): Promise<Answer> {
  const { bankCalls: _calls, ...before } = await countSideEffects(gateway)
  const answer = await send(...sent)
  expect(await countSideEffects(gateway)).toMatchObject(before)
  return answer
}

const payrollWith = (changes: Parameters<typeof salary>[2], bank = BANK): PayrollRequest =>
  stage.payroll(bank, 1, { transactions: [salary(bank, 1), salary(bank, 2, changes)] })

describe('credentials without the permission for payrolls', () => {
  const all: readonly Operation[] = Object.values(operations)
  const payrollOperations = all.filter(({ path }) => path.startsWith('/api/v2/payroll'))

  async function statusesFor(authorization: string): Promise<readonly number[]> {
    const statuses: number[] = []
    for (const { method, path, body } of payrollOperations) {
      const requested = { headers: { authorization }, ...(body === undefined ? {} : { body: {} }) }
      statuses.push((await sendRawRequest(gateway, [method, path.replaceAll(/\{\w+\}/g, newId())], requested)).status)
    }
    return statuses
  }

  /** The response to a large body of which no byte is sent. */
  async function statusBeforeBody(authorization: string): Promise<number | undefined> {
    const headers = { authorization, 'content-type': 'application/json', 'content-length': 5 * MEGABYTE }
    const asking = request(`${gateway.url}/api/v2/payroll`, { method: 'POST', headers })
    asking.flushHeaders()
    const [answer] = await once(asking, 'response')
    asking.on('error', () => undefined).destroy()
    return answer.statusCode
  }

  test('are rejected completely with 403, before anything else of the request is read', async () => {
    const { credentials, client } = await gateway.otherPartner()
    const scope = 'api://ac0d1aea-5e3a-463f-9dd1-194898ee5820/.default'
    const { access_token } = await client.issueToken({
      body: {
        grant_type: 'client_credentials',
        scope,
        client_id: credentials.clientId,
        client_secret: credentials.clientSecret,
      },
    })
    const authorization = `Bearer ${access_token}`
    const before = await countSideEffects(gateway)
    expect(await statusBeforeBody(authorization)).toBe(403)
    expect(payrollOperations).toHaveLength(10)
    expect(await statusesFor(authorization)).toEqual(payrollOperations.map(() => 403))
    expect(await countSideEffects(gateway)).toEqual(before)

    await changeClientPermission(gateway.context, 'test', credentials.clientId, ['payroll', true])
    gateway.passWallTime(10)
    expect(await statusesFor(authorization)).not.toContain(403)
  })
})

describe('a payroll is rejected', () => {
  test('at a bank without payrolls: UNSUPPORTED_PRODUCT_BY_BANK', async () => {
    const answer = await rejected(OTHER_BANK, stage.payroll(OTHER_BANK, 2))
    expect(answer).toMatchObject({ status: 400, body: { failure: 'UNSUPPORTED_PRODUCT_BY_BANK' } })
  })

  test('from an account that is not on the consent, or that the user may only read: ACCESS_DENIED', async () => {
    for (const [bban, rejection] of [
      [BANK.supplier, rejected],
      [BANK.viewOnly, rejectedByBank],
    ] as const) {
      const from = { account: { bban }, name: BANK.companyName }
      const transactions = [salary(BANK, 1, { account: { bban: BANK.main } })]
      const answer = await rejection(BANK, stage.payroll(BANK, 1, { from, transactions }))
      expect(answer).toMatchObject({ status: 400, body: { failure: 'ACCESS_DENIED' } })
    }
  })

  test('with more transactions than its bank accepts: 422, which contains the limit', async () => {
    const chain = nordicBank(PAYROLL_BANKS.chain)
    const [validationError, ...others] = validationErrorsOf(await send(chain, stage.payroll(chain, 11)))
    expect(others).toEqual([])
    expect(validationError).toMatchObject({ code: 'InvalidRequest', path: '.transactions' })
    expect(validationError?.reason).toMatch(/^transactions has 11 transactions; .+ accepts at most 10 in one payroll$/)
  })

  test('for errors in two of its transactions: both are returned, with their paths', async () => {
    const transactions = [
      salary(BANK, 1),
      salary(BANK, 1, { name: 'x'.repeat(141) }),
      salary(BANK, 3, { account: { bban: '1' } }),
    ]
    const validationErrors = validationErrorsOf(await rejected(BANK, stage.payroll(BANK, 1, { transactions })))
    expect(validationErrors.map(({ code, path }) => [code, path])).toEqual([
      ['InvalidRequest', '.transactions[1].metadata.endToEndId'],
      ['RecipientNameTooLong', '.transactions[1].name'],
      ['InvalidAccountNumber', '.transactions[2].account.bban'],
    ])
  })

  test('by its bank, as a creditor requires a KID: INVALID_OCR, with nothing of the transaction', async () => {
    const answer = await rejectedByBank(BANK, payrollWith({ account: { bban: OCR_ACCOUNT }, name: 'Solvik kommune' }))
    expect(answer).toMatchObject({ status: 400, body: { failure: 'INVALID_OCR' } })
    expect(JSON.stringify(answer.body)).not.toMatch(/8051\d{7}|Solvik|20002/)
  })
})

describe('a bulk is rejected', () => {
  const bulk = (bank: NordicBank) => ({
    callbackUrl: CALLBACK,
    payrolls: [stage.payroll(bank, 1), stage.payroll(bank, 2)],
  })

  test('at a bank without bulks: UNSUPPORTED_PRODUCT_BY_BANK', async () => {
    const answer = await rejected(BANK, bulk(BANK), '/api/v2/payroll/bulk')
    expect(answer).toMatchObject({ status: 400, body: { failure: 'UNSUPPORTED_PRODUCT_BY_BANK' } })
  })

  test('for a partner without an agreement on bulks: UNSUPPORTED_PRODUCT_BY_BANK', async () => {
    const demo = await requirePartner(gateway.context, 'Demo partner')
    await changePartnerPermission(gateway.context, 'test', demo, ['payrollBulk', false])
    const answer = await rejected(BULK_BANK, bulk(BULK_BANK), '/api/v2/payroll/bulk')
    await changePartnerPermission(gateway.context, 'test', demo, ['payrollBulk', true])
    expect(answer).toMatchObject({ status: 400, body: { failure: 'UNSUPPORTED_PRODUCT_BY_BANK' } })
  })

  test('for errors in it and in its payrolls: all are returned, in the order of the body', async () => {
    const { payrolls } = bulk(BULK_BANK)
    const [first, second] = payrolls
    const broken = {
      payrolls: [{ ...first, dueDate: '2020-01-01' }, { ...second, transactions: [{}] }, 5],
      callbackUrl: 'ftp://x',
    }
    const validationErrors = validationErrorsOf(await rejected(BULK_BANK, broken, '/api/v2/payroll/bulk'))
    expect(validationErrors.map(({ path }) => path)).toEqual([
      '.payrolls[0].dueDate',
      ...['metadata', 'name', 'account', 'amount', 'remittanceInformation'].map(
        (name) => `.payrolls[1].transactions[0].${name}`,
      ),
      '.payrolls[2]',
      '.callbackUrl',
    ])
  })

  test('of more payrolls than permitted: none of them is read', async () => {
    const validationErrors = validationErrorsOf(
      await rejected(
        BULK_BANK,
        { callbackUrl: CALLBACK, payrolls: Array.from({ length: 101 }, () => 1) },
        '/api/v2/payroll/bulk',
      ),
    )
    expect(validationErrors.map(({ path }) => path)).toEqual(['.payrolls'])
    const over = validationErrorsOf(
      await rejected(
        BULK_BANK,
        { callbackUrl: CALLBACK, payrolls: Array.from({ length: 51 }, () => 1) },
        '/api/v2/payroll/bulk',
      ),
    )
    expect(over).toMatchObject([
      {
        code: 'InvalidRequest',
        path: '.payrolls',
        reason: expect.stringMatching(/payrolls has 51 payrolls; .+ accepts at most 50 in one bulk$/),
      },
    ])
  })
})

describe('a body of several megabytes', { timeout: TEST_MILLISECONDS }, () => {
  test('is validated completely; the first thousand errors and their number are returned', async () => {
    const transactions = Array.from({ length: 1_200 }, (_, n) => ({
      ...salary(BANK, n),
      name: '',
      x: 'x'.repeat(2_000),
    }))
    const body = stage.payroll(BANK, 1, { transactions })
    expect(JSON.stringify(body).length).toBeGreaterThan(2 * MEGABYTE)
    const validationErrors = validationErrorsOf(await rejected(BANK, body))
    expect(validationErrors).toHaveLength(1_001)
    expect(validationErrors.at(-1)).toMatchObject({
      code: 'InvalidRequest',
      reason: 'The request has 1200 errors; the first 1000 are listed',
      path: '.',
    })
  })

  test('is not read without a token: 401; beyond the size limit it is 413', async () => {
    // If it were read, it would be invalid JSON.
    const [large, tooLarge] = [2 * MEGABYTE, 11 * MEGABYTE].map((bytes) => '{'.repeat(bytes))
    const path = '/api/v2/payroll'
    expect(await sendRawRequest(gateway, ['POST', path], { body: large })).toMatchObject({ status: 401 })
    expect(await sendRawRequest(gateway, ['POST', path], { body: tooLarge })).toMatchObject({ status: 413 })
    expect(await sendRawRequest(gateway, ['POST', '/api/v2/payments'], { body: large })).toMatchObject({ status: 413 })
    const headers = await validHeaders(gateway)
    expect(await sendRawRequest(gateway, ['POST', path], { headers, body: large })).toMatchObject({ status: 400 })
  })

  test('that takes long to validate is answered all the same, and other requests meanwhile', async () => {
    const body = { ...stage.payroll(BANK, 1), transactions: Array.from({ length: 100_000 }, () => 1) }
    const [answer, other] = await Promise.all([send(BANK, body), gateway.fetch('/readyz')])
    expect(validationErrorsOf(answer).map(({ path }) => path)).toEqual(['.transactions'])
    expect(other.status).toBe(200)
  })
})

test('names, accounts and amounts of payrolls are in no log line, whether accepted or rejected', async () => {
  const secret = {
    name: 'Ragnhild Hemmelig',
    account: { bban: '86011117947' },
    amount: { amount: '47113.37', currency: 'NOK' },
  }
  expect(await send(BANK, payrollWith(secret))).toMatchObject({ status: 200 })
  expect(await send(BANK, payrollWith({ ...secret, name: 'Ragnhild Hemmelig €' }))).toMatchObject({ status: 422 })
  expect(await send(OTHER_BANK, payrollWith(secret, OTHER_BANK))).toMatchObject({ status: 400 })
  expect(gateway.logLines().join('\n')).not.toMatch(/Ragnhild|86011117947|47113\.?37/)
})

function validationErrorsOf({
  status,
  body,
}: Answer): readonly { readonly code: string; readonly reason: string; readonly path: string }[] {
  expect(status).toBe(422)
  return Array.isArray(body) ? body : expect.fail('The answer is no list')
}
