/** Tests service hours, due dates, warnings, calendar and currencies of the FX operations over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dollarOrder } from '../../../contract/examples/fx.ts'
import type { ExchangeOrder } from '../../../contract/fx/exchange-order.ts'
import { sendRawRequest } from '../../testing/contract/send-raw-request.ts'
import { type GatewayWithFx, startGatewayWithFx } from '../../testing/fx/fx-provider-fixture.ts'
import { exchangeOrder, moveToHour } from '../../testing/fx/sample-exchange-orders.ts'
import { acceptedConsent } from '../../testing/payments/sample-payments.ts'

let stage: GatewayWithFx
let headers: Record<string, string>
beforeAll(async () => {
  stage = await startGatewayWithFx()
  headers = { authorization: `Bearer ${await stage.gateway.token()}` }
  await moveToHour(stage.gateway, '09:00')
})
afterAll(() => stage.close())

const validate = async (changes: Partial<ExchangeOrder> = {}) =>
  await stage.gateway.client.validateExchange({ body: exchangeOrder(stage.gateway, changes) })
const rejection = async (changes: Partial<ExchangeOrder> = {}) => {
  const body = exchangeOrder(stage.gateway, changes)
  return await sendRawRequest(stage.gateway, ['POST', '/api/fx/payments'], { headers, body })
}
const calendar = (query: string) => sendRawRequest(stage.gateway, ['GET', `/api/fx/calendar${query}`], { headers })

describe('validation warns', () => {
  test('about nothing where there is nothing to warn about', async () => {
    const { metadata } = exchangeOrder(stage.gateway)
    expect(await validate({ metadata })).toEqual({ valid: true, endToEndId: metadata.endToEndId, warnings: [] })
  })

  test('about the deprecated purpose code, which is still used', async () => {
    const { warnings } = await validate({ purposeCode: 'SUPP' })
    expect(warnings).toMatchObject([
      // Payments to the United States have none.
      { code: 'DestinationUnverified', path: '.purposeCode' },
      { code: 'DeprecatedField', path: '.purposeCode' },
    ])
    const answer = await rejection({
      purposeCode: 'OTHR',
      remittanceInformation: {
        unstructured: 'Invoice',
        additionalInformation: [{ type: 'Purpose', value: 'SUPP' }],
      },
    })
    expect(answer).toMatchObject({ status: 422, body: [{ code: 'InvalidRecipientInfo', path: '.purposeCode' }] })
  })

  test('about an insufficient balance, when a consent includes the account and it is due today', async () => {
    const much = { amount: { amount: '900000.00', currency: 'USD' } }
    expect((await validate(much)).warnings).toEqual([])
    await acceptedConsent(stage.gateway)
    const headOffice = { from: { ...dollarOrder.from, bic: `${dollarOrder.from.bic}xxx` } }
    for (const order of [much, { ...much, ...headOffice }]) {
      expect((await validate(order)).warnings).toMatchObject([{ code: 'BalanceTooLow', path: '.amount' }])
    }
    expect((await validate()).warnings).toEqual([])
    const { defaultDueDate } = await stage.gateway.client.getExchangeCalendar({})
    expect((await validate({ ...much, dueDate: defaultDueDate })).warnings).toEqual([])
  })

  test('about no balance once the bank’s daily reads are exhausted, and responds just as fast', async () => {
    const much = { amount: { amount: '900000.00', currency: 'USD' } }
    const codes: number[] = []
    for (let n = 0; n < 5; n += 1) {
      codes.push((await validate(much)).warnings.length)
    }
    expect(codes.at(-1)).toBe(0)
  })

  test('stores nothing', async () => {
    const { rows } = await stage.gateway.context.database.pool.query('select count(*)::int as count from fx_quotes')
    expect(rows).toEqual([{ count: 0 }])
  })
})

describe('a rejection by the provider', () => {
  test.each([
    ['no-rate', 503, {}],
    ['closed', 422, [{ code: 'InvalidCreationTime', path: '.' }]],
    ['refuse-beneficiary', 422, [{ code: expect.stringMatching(/^Invalid/), reason: expect.any(String) }]],
    ['unavailable', 503, {}],
  ])('%s is returned as %i', async (effect, status, body) => {
    await stage.fx.fault(effect, { times: 20 })
    const answer = await rejection()
    await stage.fx.clearFaults()
    expect(answer).toMatchObject({ status, body })
  })
})

describe('currencies', () => {
  test('are listed with their limits', async () => {
    const currencies = await stage.gateway.client.listCurrencies()
    const find = (name: string) => currencies.find(({ currency }) => currency === name)
    expect(find('NOK')).toMatchObject({ funding: true, payout: true, decimals: 2, cutOffTime: '16:00' })
    expect(find('JPY')).toMatchObject({ funding: false, decimals: 0, maxAmount: { dueToday: '890000000' } })
    expect(find('INR')).toMatchObject({ dueDateMaxDays: 0, maxAmount: { dueLater: null } })
  })

  test('are for partners only', async () => {
    expect(await sendRawRequest(stage.gateway, ['GET', '/api/currencies'])).toMatchObject({ status: 401 })
  })
})

describe('the exchange calendar', () => {
  test('lists the days on which a payment may be due, and a quote for the first of them is given', async () => {
    const today = stage.gateway.context.clock.today('Europe/Oslo')
    const reported = await stage.gateway.client.getExchangeCalendar({})
    expect(reported).toMatchObject({ serviceOpen: true, cutOffTime: '16:00', firstDueDate: today.toString() })
    expect(reported.invalidDates[reported.firstDueDate]).toBeUndefined()
    expect(Object.keys(reported.invalidDates).length).toBeGreaterThan(20)
    const { quoteId } = await stage.gateway.client.quoteExchange({
      body: exchangeOrder(stage.gateway, { dueDate: reported.lastDueDate }),
    })
    expect(quoteId).toBeDefined()
  })

  test('respects the limits of a currency', async () => {
    const { body } = await calendar('?currency=INR')
    const { firstDueDate, defaultDueDate, invalidDates } = Object(body)
    expect(invalidDates[firstDueDate]).toBeUndefined()
    expect(invalidDates[defaultDueDate]).toContain('cannot be bought in advance')
  })

  test('ends with the year 9999', async () => {
    const { status, body } = await calendar('?from=9999-12-24&to=9999-12-31')
    expect(status).toBe(200)
    expect(Object.keys(Object(body).invalidDates)).toContain('9999-12-31')
  })

  test.each([
    ['?from=2026-02-30', '.from'],
    ['?from=2026-03-01&to=2026-02-01', '.to'],
    ['?from=2026-01-01&to=2027-06-01', '.to'],
    ['?country=US', '.country'],
    ['?currency=XQQ', '.currency'],
    ['?from=soon', '.from'],
    ['?from=9999-12-30', '.from'],
  ])('%s is rejected at %s', async (query, path) => {
    expect(await calendar(query)).toMatchObject({ status: 422, body: [{ code: 'InvalidRequest', path }] })
  })
})

describe('at different times of day', () => {
  test('after 16:00 nothing can be due today, and the balance check applies to the next bank day', async () => {
    const day = await moveToHour(stage.gateway, '16:00')
    expect(await rejection({ dueDate: day.toString() })).toMatchObject({
      status: 422,
      body: [{ code: 'InvalidDueDate', path: '.dueDate' }],
    })
    const { firstDueDate } = await stage.gateway.client.getExchangeCalendar({})
    const much = { amount: { amount: '900000.00', currency: 'USD' }, dueDate: firstDueDate }
    expect((await validate(much)).warnings).toMatchObject([{ code: 'BalanceTooLow' }])
  })

  test('after 22:00 the service is closed, and says when it opens and how to move the clock there', async () => {
    const day = await moveToHour(stage.gateway, '22:00')
    const { serviceOpen, opensAt, firstDueDate } = await stage.gateway.client.getExchangeCalendar({})
    expect(serviceOpen).toBe(false)
    expect(Temporal.PlainDate.compare(Temporal.PlainDate.from(firstDueDate), day)).toBe(1)
    const answer = await rejection({ dueDate: firstDueDate })
    expect(answer).toMatchObject({ status: 422, body: [{ code: 'InvalidCreationTime', path: '.' }] })
    expect(JSON.stringify(answer.body)).toContain(`{\\"set\\":\\"${opensAt}\\"}`)
    await stage.gateway.client.moveSandboxClock({ body: { set: opensAt } })
    expect(await rejection({ dueDate: firstDueDate })).toMatchObject({ status: 200 })
  })

  test('on a Saturday the service is closed', async () => {
    await moveToHour(stage.gateway, '12:00', 'Saturday')
    const { firstDueDate } = await stage.gateway.client.getExchangeCalendar({})
    const answer = await rejection({ dueDate: firstDueDate })
    expect(answer).toMatchObject({ status: 422, body: [{ code: 'InvalidCreationTime', path: '.' }] })
  })
})

test('once the provider rate-limits us, it is not called: 503 with Retry-After', async () => {
  await moveToHour(stage.gateway, '09:00')
  await stage.fx.fault('too-many-requests', { times: 1 })
  expect((await rejection()).status).toBe(503)
  const { length } = Object.values(await stage.fx.calls())
  const again = await rejection()
  expect(again.status).toBe(503)
  expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(10)
  expect(Object.values(await stage.fx.calls())).toHaveLength(length)
})
