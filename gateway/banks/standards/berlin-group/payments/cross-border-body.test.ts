/** Shows how cross-border payments are built for each bank that offers them, and parsed. */
import { describe, expect, test } from 'vitest'
import type { Bank } from '../../../connector/bank.ts'
import type { CrossBorderOrder } from '../../../connector/bank-order.ts'
import { crossBorderAt, sandboxBank } from '../../../testing/sandbox-samples.ts'
import { dialectOf } from '../dialect.ts'
import { crossBorderBody, toCrossBorderOrderShownByBank } from './cross-border-body.ts'

const PLACE = { xs2aUrl: 'http://127.0.0.1:1', pagesUrl: 'http://127.0.0.1:2' }
const DUE = Temporal.PlainDate.from('2026-11-25')

const bankAt = (bic: string) => sandboxBank(bic, PLACE)
const orderAt = async (bank: Bank, changes: Partial<CrossBorderOrder> = {}) => {
  const offer = crossBorderAt(
    bank,
    async () => DUE,
    () => 12_345n,
  )
  return { ...(await offer?.order()), regulatoryReporting: offer?.reporting ?? null, ...changes } as CrossBorderOrder
}
const bodyAt = (bank: Bank, order: CrossBorderOrder) => {
  const dialect = dialectOf(bank.profile)
  const { crossBorder } = dialect
  return crossBorder === undefined ? undefined : crossBorderBody(order, dialect, crossBorder)
}

const american = {
  account: { type: 'bban', number: '000123456789' },
  bic: 'CHASUS33',
  clearingCode: '021000021',
  name: 'Hudson Bearings Inc',
  address: { city: 'New York', country: 'US' },
} as const

const common = {
  instructedAmount: { currency: 'EUR', amount: '123.45' },
  creditorName: 'Elbe Werkzeug GmbH',
  creditorAgent: 'COBADEFFXXX',
  creditorAddress: {
    streetName: 'Hafenstrasse',
    buildingNumber: '12',
    townName: 'Hamburg',
    postCode: '20457',
    country: 'DE',
  },
  remittanceInformationUnstructured: 'Invoice 4711',
  requestedExecutionDate: '2026-11-25',
}

describe('an order is formatted', () => {
  let bank: Bank

  test('with the core of the standard, and the fields for authorities', async () => {
    bank = bankAt('FJORNO22')
    expect(bodyAt(bank, await orderAt(bank))).toEqual({
      ...common,
      debtorAccount: { bban: '80501100076' },
      creditorAccount: { iban: 'DE89370400440532013000' },
      chargeBearer: 'SHAR',
      regulatoryReportingCode: '14',
      regulatoryReportingInformation: 'Goods',
    })
  })

  test('with the IBAN as bban, an end-to-end id and the clearing code', async () => {
    bank = bankAt('VSKYNO22')
    expect(bodyAt(bank, await orderAt(bank))).toMatchObject({
      endToEndIdentification: 'cross-border',
      creditorAccount: { bban: 'DE89370400440532013000' },
    })
    expect(bodyAt(bank, await orderAt(bank, { creditor: american }))).toMatchObject({
      creditorAccount: { bban: '000123456789' },
      creditorAgentClearingCode: '021000021',
      creditorAddress: { townName: 'New York', country: 'US' },
    })
  })

  test('in the Swedish dialect: charges SHA, a code only, a text for the payer', async () => {
    bank = bankAt('MALBSESS')
    expect(bodyAt(bank, await orderAt(bank, { debtorReference: 'Tyskland' }))).toEqual({
      ...common,
      endToEndIdentification: 'cross-border',
      debtorAccount: { bban: '79901000076' },
      creditorAccount: { iban: 'DE89370400440532013000' },
      chargeBearer: 'SHA',
      regulatoryReportingCode: '101',
      debtorAccountStatementText: 'Tyskland',
    })
  })

  test('without what the bank has no field for', async () => {
    bank = bankAt('ORESDK22')
    const reported = {
      regulatoryReporting: { code: '14', information: 'Goods' },
      debtorReference: 'Own',
      creditor: american,
    }
    const text = JSON.stringify(bodyAt(bank, await orderAt(bank, reported)))
    expect(text).not.toMatch(/regulatory|clearing|021000021|bilag/i)
  })
})

describe('an order at a bank', () => {
  const placed = {
    bankPaymentId: 'x',
    rail: 'account',
    debtorBban: '80501100076',
    creditorBban: 'DE89370400440532013000',
  } as const
  const amount = { currency: 'EUR', amount: '123.45' }

  test.each([
    ['an IBAN', { iban: 'DE89370400440532013000' }],
    ['an IBAN in groups', { iban: 'DE89 3704 0044 0532 0130 00' }],
    ['an IBAN named bban', { bban: 'de89370400440532013000' }],
  ])('is recognised by %s', (_what, creditorAccount) => {
    const held = { debtorAccount: { bban: '80501100076' }, creditorAccount, instructedAmount: amount }
    expect(toCrossBorderOrderShownByBank(held, placed, 'NO')).toEqual({
      debtorBban: '80501100076',
      creditorBban: 'DE89370400440532013000',
      amount: { minor: 12_345n, currency: 'EUR' },
    })
  })

  test('has nothing that the bank does not show', () => {
    expect(toCrossBorderOrderShownByBank({}, placed, 'NO')).toEqual({
      debtorBban: null,
      creditorBban: null,
      amount: null,
    })
  })
})
