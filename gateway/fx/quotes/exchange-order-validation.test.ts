/** Tests every validation error of an exchange order, by quote and by validation: code and path. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dollarOrder } from '../../../contract/examples/fx.ts'
import type { ExchangeOrder } from '../../../contract/fx/exchange-order.ts'
import { purposeList } from '../../countries/destinations/purpose-codes.ts'
import { type Answer, sendRawRequest, UNKNOWN_ID, withoutRequestId } from '../../testing/contract/send-raw-request.ts'
import { type GatewayWithFx, startGatewayWithFx } from '../../testing/fx/fx-provider-fixture.ts'
import { exchangeOrder, moveToHour } from '../../testing/fx/sample-exchange-orders.ts'
import { toIndia } from '../../testing/payments/sample-cross-border-payments.ts'

let stage: GatewayWithFx
let headers: Record<string, string>
beforeAll(async () => {
  stage = await startGatewayWithFx()
  headers = { authorization: `Bearer ${await stage.gateway.token()}` }
  await moveToHour(stage.gateway, '09:00')
})
afterAll(() => stage.close())

const PATHS = ['/api/fx/payments', '/api/fx/payments/validate'] as const
const send = (path: string, body: unknown): Promise<Answer> =>
  sendRawRequest(stage.gateway, ['POST', path], { headers, body })

/** Both operations respond alike; the first response is returned. */
async function rejected(body: unknown): Promise<Answer> {
  const before = await countQuotes()
  const [quoted, validated] = [await send(PATHS[0], body), await send(PATHS[1], body)]
  expect(validated.status).toBe(quoted.status)
  expect(withoutRequestId(validated)).toEqual(withoutRequestId(quoted))
  expect(await countQuotes()).toBe(before)
  return quoted
}

async function countQuotes(): Promise<number> {
  const { rows } = await stage.gateway.context.database.pool.query('select count(*)::int as count from fx_quotes')
  return Number(rows[0]?.count)
}

type Changes = { readonly [member in keyof ExchangeOrder]?: unknown }

/** An order with some parts replaced, valid or not. */
const changed = (changes: Changes): object => ({ ...exchangeOrder(stage.gateway), ...changes })
const from = (changes: object) => ({ from: { ...dollarOrder.from, ...changes } })
const account = (changes: object) => ({
  to: { ...dollarOrder.to, account: { ...dollarOrder.to.account, ...changes } },
})
const address = (changes: object) => ({
  to: {
    ...dollarOrder.to,
    contactInformation: {
      ...dollarOrder.to.contactInformation,
      address: { ...dollarOrder.to.contactInformation.address, ...changes },
    },
  },
})
const amount = (value: string, currency = 'USD') => ({ amount: { amount: value, currency } })
const remittance = (changes: object) => ({
  remittanceInformation: { ...dollarOrder.remittanceInformation, ...changes },
})
const germany = (iban: string, bic = 'COBADEFFXXX') => ({
  to: {
    account: { iban, bic },
    contactInformation: {
      name: 'Elbe Werkzeug GmbH',
      address: { streetName: 'Hafenstrasse', buildingNumber: '12', city: 'Hamburg', postCode: '20457', country: 'DE' },
    },
  },
  amount: { amount: '100.00', currency: 'EUR' },
})
const brazil = (additionalInformation: readonly object[]) => ({
  to: {
    account: { iban: 'BR1800360305000010009795493C1', bic: 'BRASBRRJ' },
    contactInformation: {
      name: 'Serra Ltda',
      address: { streetName: 'Rua Um', buildingNumber: '1', city: 'Rio', postCode: '20040-020', country: 'BR' },
    },
  },
  amount: { amount: '100.00', currency: 'BRL' },
  remittanceInformation: { unstructured: 'Invoice 1', additionalInformation },
})
/** Paid for in kroner. */
const rupees = (kroner: string) => ({
  to: {
    ...toIndia.to,
    account: { bban: toIndia.to.account.bban, bic: 'HDFCINBB', clearingCode: 'HDFC0000123' },
    currency: 'INR',
  },
  amount: { amount: kroner, currency: 'NOK' },
  remittanceInformation: {
    unstructured: 'Invoice 1',
    additionalInformation: [{ type: 'Purpose', value: 'goods' }],
  },
})
const turkey = (requested: object, receiver: object = {}) => ({
  to: {
    account: { iban: 'TR330006100519786457841326', bic: 'HAVNTR2X' },
    contactInformation: {
      name: 'Bogaz Makine AS',
      address: { streetName: 'Iskele', buildingNumber: '3', city: 'Istanbul', postCode: '34000', country: 'TR' },
    },
    ...receiver,
  },
  ...requested,
})
const later = () => stage.gateway.context.clock.today('Europe/Oslo').add({ days: 30 }).toString()

const CASES: readonly (readonly [code: string, what: string, path: string, changes: () => Changes])[] = [
  ['InvalidDueDate', 'a day that is none', '.dueDate', () => ({ dueDate: '2027-02-30' })],
  ['InvalidDueDate', 'a day too far ahead', '.dueDate', () => ({ dueDate: later() })],
  ['InvalidDueDate', 'a day that is over', '.dueDate', () => ({ dueDate: '2026-01-05' })],
  ['InvalidDueDate', 'a currency that is never bought ahead', '.dueDate', () => ({ ...brazilAhead() })],
  ['InvalidFromAccount', 'an account that is none', '.from.bban', () => from({ bban: '80501100018' })],
  [
    'InvalidFromAccount',
    'the creditor’s own account',
    '.from.bban',
    () => ({ ...account({ bban: undefined, iban: 'NO9680501100017', bic: 'FJORNO22', clearingCode: undefined }) }),
  ],
  [
    'InvalidFromAccount',
    'the creditor’s own account as it is printed',
    '.from.bban',
    () => account({ bban: '8050.11.00017', bic: 'FJORNO22', clearingCode: undefined }),
  ],
  ['InvalidFromCountry', 'another country than the BIC', '.from.country', () => from({ bic: 'COBADEFF' })],
  ['InvalidFromCountry', 'a country nobody pays from', '.from.country', () => from({ country: 'US', bic: 'CHASUS33' })],
  ['InvalidToAddress', 'no town', '.to.contactInformation.address.city', () => address({ city: undefined })],
  [
    'InvalidToAddress',
    'a wrong post code',
    '.to.contactInformation.address.postCode',
    () => address({ postCode: 'X' }),
  ],
  ['InvalidToAccount', 'one number in both places', '.to.account.bban', () => germanyTwice('DE89370400440532013000')],
  ['InvalidBbanOrIban', 'no number', '.to.account', () => account({ bban: undefined })],
  ['InvalidIban', 'wrong check digits', '.to.account.iban', () => germany('DE88370400440532013000')],
  [
    'IbanBicMismatch',
    'a BIC of another country',
    '.to.account.bic',
    () => germany('DE89370400440532013000', 'BNPAFRPP'),
  ],
  ['InvalidBIC', 'no BIC of a receiver', '.to.account.bic', () => account({ bic: 'CHAS' })],
  ['InvalidBIC', 'no BIC of a sender', '.from.bic', () => from({ bic: 'FJORNO2' })],
  [
    'InvalidBeneficiaryCountry',
    'a blocked country',
    '.to.contactInformation.address.country',
    () => address({ country: 'KP' }),
  ],
  ['InvalidBeneficiaryCountry', 'a bank in a blocked country', '.to.account.bic', () => account({ bic: 'XXXXKPPY' })],
  ['InvalidAmount', 'above every limit', '.amount.amount', () => amount('5600000.01')],
  ['InvalidAmount', 'nothing', '.amount.amount', () => amount('0.00')],
  ['InvalidQuoteCurrencyScale', 'three decimals', '.amount.amount', () => amount('10.001')],
  ['InvalidQuoteCurrencyScale', 'decimals of yen', '.amount.amount', () => amount('10.5', 'JPY')],
  ['InvalidCurrency', 'one that the country does not take', '.amount.currency', () => amount('10.00', 'CHF')],
  ['InvalidCurrency', 'one that is not exchanged', '.amount.currency', () => amount('10.00', 'XCG')],
  ['InvalidCurrency', 'one that is not paid in', '.from.currency', () => from({ currency: 'EUR' })],
  ['CurrencyPairMismatch', 'the sender’s currency', '.amount.currency', () => amount('10.00', 'NOK')],
  [
    'CurrencyPairMismatch',
    'the debtor’s currency as payout currency',
    '.to.currency',
    () => ({ to: { ...dollarOrder.to, currency: 'NOK' }, ...amount('10.00', 'NOK') }),
  ],
  [
    'CurrencyPairMismatch',
    'an amount in a third currency',
    '.to.currency',
    () => ({ to: { ...dollarOrder.to, currency: 'USD' }, ...amount('10.00', 'GBP') }),
  ],
  ['InvalidRecipientInfo', 'no clearing code', '.to.account.clearingCode', () => account({ clearingCode: undefined })],
  ['InvalidRecipientInfo', 'a wrong clearing code', '.to.account.clearingCode', () => account({ clearingCode: '1' })],
  [
    'InvalidRecipientInfo',
    'a name that is sent in more than 70 characters',
    '.to.contactInformation.name',
    () => toName('Ø'.repeat(36)),
  ],
  [
    'InvalidRemittanceInformation',
    'a text that begins with a slash after a space',
    '.remittanceInformation.unstructured',
    () => remittance({ unstructured: ' /1' }),
  ],
  ['InvalidAmount', 'more kroner than the payout currency may cost', '.amount.amount', () => rupees('1000000.00')],
  ['InvalidRecipientInfo', 'no tax code', '.remittanceInformation.additionalInformation', () => brazil([])],
  [
    'InvalidRecipientInfo',
    'a wrong tax code',
    '.remittanceInformation.additionalInformation[0]',
    () => brazil([{ type: 'TaxCode', value: '11222333000180' }]),
  ],
  [
    'InvalidRemittanceInformation',
    'a text that is too long',
    '.remittanceInformation.unstructured',
    () => remittance({ unstructured: 'x'.repeat(141) }),
  ],
  [
    'InvalidRemittanceInformation',
    'an unsupported character',
    '.remittanceInformation.unstructured',
    () => remittance({ unstructured: 'Счёт 7' }),
  ],
]

const germanyTwice = (iban: string) => {
  const order = germany(iban)
  return { ...order, to: { ...order.to, account: { ...order.to.account, bban: iban } } }
}
const brazilAhead = () => {
  const { clock } = stage.gateway.context
  return { ...brazil([{ type: 'TaxCode', value: '11222333000181' }]), dueDate: nextWeekday(clock.today('Europe/Oslo')) }
}
const nextWeekday = (today: Temporal.PlainDate): string =>
  today.add({ days: today.dayOfWeek >= 5 ? 8 - today.dayOfWeek : 1 }).toString()

describe('an order is rejected with 422', () => {
  test.each(CASES)('%s for %s at %s', async (code, _what, path, changes) => {
    const answer = await rejected(changed(changes()))
    expect(answer.status).toBe(422)
    expect(answer.body).toContainEqual(expect.objectContaining({ code, path, reason: expect.any(String) }))
  })

  test.each(['streetName', 'buildingNumber', 'city', 'postCode'])(
    'with 400 InvalidFieldFormat for an unsupported character in the %s of the payer, and with no other code for it',
    async (member) => {
      const { name, address: home } = dollarOrder.from.contactInformation
      const answer = await rejected(
        changed(from({ contactInformation: { name, address: { ...home, [member]: '😀 1' } } })),
      )
      const path = `.from.contactInformation.address.${member}`
      expect(answer).toMatchObject({ status: 400, body: { code: 'InvalidFieldFormat', path } })
    },
  )

  test('InvalidRecipientInfo for a purpose code that the bought amount requires, whichever amount is given', async () => {
    const path = '.remittanceInformation.additionalInformation'
    const missing = [{ code: 'InvalidRecipientInfo', path, reason: expect.stringContaining('no Purpose') }]
    expect(await rejected(changed(turkey(amount('10000000.01', 'TRY'))))).toMatchObject({ status: 422, body: missing })
    const sold = turkey({ ...amount('9000000.00', 'NOK') }, { currency: 'TRY' })
    expect(await rejected(changed(sold))).toMatchObject({ status: 422, body: missing })
    const reported = remittance({ additionalInformation: [{ type: 'Purpose', value: purposeList('GENERAL').example }] })
    expect(await send(PATHS[0], changed({ ...sold, ...reported }))).toMatchObject({ status: 200 })
    const small = turkey(amount('100.00', 'NOK'), { currency: 'TRY' })
    expect(await send(PATHS[0], changed(small))).toMatchObject({ status: 200 })
  })

  test('InvalidAmount above the limit of a later day, which today would accept', async () => {
    const { defaultDueDate } = await stage.gateway.client.getExchangeCalendar({})
    const answer = await rejected(changed({ ...amount('1100000.01'), dueDate: defaultDueDate }))
    expect(answer).toMatchObject({ status: 422, body: [{ code: 'InvalidAmount', path: '.amount.amount' }] })
    expect(await send(PATHS[1], changed(amount('1100000.01')))).toMatchObject({ status: 200 })
  })

  test('with the path of the field of an address', async () => {
    const answer = await rejected(changed(address({ city: undefined })))
    expect(answer.body).toMatchObject([{ reason: expect.stringContaining('city') }])
  })

  test('with all errors at once, in the order of the body', async () => {
    const wrong = { ...from({ bic: 'X' }), ...account({ bic: 'Y' }), ...amount('1.234'), dueDate: '2020-01-01' }
    const answer = await rejected(changed(wrong))
    expect(Object(answer.body).map(({ code }: { code: string }) => code)).toEqual([
      'InvalidBIC',
      'InvalidBIC',
      'InvalidQuoteCurrencyScale',
      'InvalidDueDate',
    ])
  })
})

describe('a malformed order is rejected with 400', () => {
  test.each([
    ['InvalidJsonRequest', '.', '{"metadata":'],
    ['InvalidJsonRequest', '.', undefined],
    ['InvalidFieldType', '.', '[]'],
  ])('%s at %s for %s', async (code, path, body) => {
    for (const operation of PATHS) {
      const answer = await sendRawRequest(stage.gateway, ['POST', operation], { headers, body })
      expect(answer).toMatchObject({ status: 400, body: { code, path, reason: expect.any(String) } })
      expect(Object.keys(Object(answer.body)).sort()).toEqual([
        'code',
        'errors',
        'message',
        'path',
        'reason',
        'svcRequestId',
      ])
    }
  })

  test.each<readonly [string, string, () => Changes]>([
    ['MissingField', '.metadata', () => ({ metadata: undefined })],
    ['MissingField', '.from.bic', () => from({ bic: undefined })],
    ['MissingField', '.to.contactInformation', () => ({ to: { account: dollarOrder.to.account } })],
    ['MissingField', '.remittanceInformation.unstructured', () => ({ remittanceInformation: {} })],
    [
      'MissingField',
      '.remittanceInformation.additionalInformation[0].value',
      () => remittance({ additionalInformation: [{ type: 'Reason' }] }),
    ],
    ['InvalidFieldType', '.amount.amount', () => ({ amount: { amount: 10, currency: 'USD' } })],
    ['InvalidFieldType', '.from', () => ({ from: 'me' })],
    ['InvalidFieldFormat', '.amount.amount', () => amount('1,50')],
    ['InvalidFieldFormat', '.amount.amount', () => amount('-1.00')],
    ['InvalidFieldFormat', '.amount.currency', () => amount('1.00', 'usd')],
    ['InvalidFieldFormat', '.dueDate', () => ({ dueDate: '24.11.2026' })],
    ['InvalidFieldFormat', '.from.contactInformation.name', () => fromName('x'.repeat(71))],
    ['InvalidFieldFormat', '.from.contactInformation.name', () => fromName('Ø'.repeat(36))],
    [
      'InvalidFieldFormat',
      '.metadata.endToEndId',
      () => ({ metadata: { ...dollarOrder.metadata, endToEndId: 'a\0b' } }),
    ],
    [
      'UnknownEnumValue',
      '.remittanceInformation.additionalInformation[0].type',
      () => remittance({ additionalInformation: [{ type: 'Why', value: 'x' }] }),
    ],
  ])('%s at %s', async (code, path, changes) => {
    expect(await rejected(changed(changes()))).toMatchObject({ status: 400, body: { code, path } })
  })

  test('also when it has more errors', async () => {
    const answer = await rejected(changed({ ...amount('1.234'), dueDate: 'soon' }))
    expect(answer).toMatchObject({ status: 400, body: { code: 'InvalidFieldFormat', path: '.dueDate' } })
  })

  test('and so is a malformed Idempotency-Key', async () => {
    const keyed = { ...headers, 'idempotency-key': 'x'.repeat(256) }
    const answer = await sendRawRequest(stage.gateway, ['POST', PATHS[0]], { headers: keyed, body: changed({}) })
    expect(answer).toMatchObject({ status: 400, body: { code: 'InvalidFieldFormat', path: '.' } })
  })
})

test.each(PATHS)('an Idempotency-Key that is reused with another body is 422 InvalidRequest at %s', async (path) => {
  const keyed = { ...headers, 'idempotency-key': `reused ${path}` }
  const send = (body: object) => sendRawRequest(stage.gateway, ['POST', path], { headers: keyed, body })
  expect(await send(changed({}))).toMatchObject({ status: 200 })
  expect(await send(changed(amount('999.00')))).toMatchObject({
    status: 422,
    body: [
      { code: 'InvalidRequest', reason: expect.stringMatching(/^The Idempotency-Key was used before/), path: '.' },
    ],
  })
})

describe('a caller without access', () => {
  const plain = async (body: object, more: Record<string, string> = {}) => {
    const init = { method: 'POST', headers: { ...headers, ...more, 'content-type': 'application/json' } }
    const answer = await stage.gateway.fetch(PATHS[0], { ...init, body: JSON.stringify(body) })
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      text: await answer.text(),
      link: answer.headers.get('link'),
    }
  }
  const text = {
    status: 403,
    type: 'text/plain; charset=utf-8',
    link: expect.stringMatching(/\/docs\/errors#Forbidden>; rel="help"$/),
  }

  test.each([
    ['a company that is not onboarded', { organizationNumber: '974760673' }],
    ['an unknown company number', { organizationNumber: '123' }],
    ['a company of a country that is not served', { organizationCountryCode: 'DE' }],
  ])('%s is rejected in plain text: 403', async (_what, changes) => {
    const metadata = { ...exchangeOrder(stage.gateway).metadata, ...changes }
    expect(await plain(changed({ metadata }))).toEqual({ ...text, text: expect.stringMatching(/onboarded|registered/) })
  })

  test('the same again under an Idempotency-Key, still in plain text', async () => {
    const metadata = { ...exchangeOrder(stage.gateway).metadata, organizationNumber: '974760673' }
    const [body, key] = [changed({ metadata }), { 'idempotency-key': 'refused-once' }]
    expect(await plain(body, key)).toMatchObject(text)
    expect(await plain(body, key)).toMatchObject(text)
  })

  test('a company without the flag for international payments, or without a subscription: 403 in plain text', async () => {
    const { pool } = stage.gateway.context.database
    for (const column of ['international_payments', 'active_subscription']) {
      await pool.query(`update companies set ${column} = false`)
      expect(await plain(changed({}))).toMatchObject(text)
      await pool.query(`update companies set ${column} = true`)
    }
  })

  test('a request without a token: 401, and a consent-id is neither required nor validated', async () => {
    const anonymous = await sendRawRequest(stage.gateway, ['POST', PATHS[1]], { body: changed({}) })
    expect(anonymous.status).toBe(401)
    const withConsent = { ...headers, 'consent-id': UNKNOWN_ID }
    const answer = await sendRawRequest(stage.gateway, ['POST', PATHS[1]], { headers: withConsent, body: changed({}) })
    expect(answer.status).toBe(200)
  })
})

function toName(name: string): Changes {
  return { to: { ...dollarOrder.to, contactInformation: { ...dollarOrder.to.contactInformation, name } } }
}

function fromName(name: string): Changes {
  const { contactInformation } = dollarOrder.from
  return from({ contactInformation: { ...contactInformation, name } })
}
