/** Shows the body of an order for each kind of bank, and that the order at the bank matches it. */
import { assert, constantFrom, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CreditorAccount,
  creditorAccountNumber,
  type DomesticOrder,
  submittedAs,
} from '../../../connector/bank-order.ts'
import { endToEndIdFor } from '../../../connector/shorten-end-to-end-id.ts'
import { sampleBank, sampleOrder, sampleSubmittedOrder } from '../../../testing/samples.ts'
import { SANDBOX_BICS, sandboxBank, sandboxOrder } from '../../../testing/sandbox-samples.ts'
import { type Dialect, dialectOf } from '../dialect.ts'
import { type PaymentDetails, parsePaymentDetails } from '../wire.ts'
import { paymentBody, toOrderShownByBank } from './order-body.ts'

const DAY = Temporal.PlainDate.from('2026-12-01')
const PLACE = { xs2aUrl: 'http://127.0.0.1:1', pagesUrl: 'http://127.0.0.1:2' }
const SUBMITTED = { bankPaymentId: 'p1', rail: 'account' } as const
const NORWEGIAN = dialectOf(sampleBank().profile)

describe('an order', () => {
  test('is formatted as the body of the Norwegian product', () => {
    expect(paymentBody(sampleOrder({ purposeCode: 'SUPP' }), NORWEGIAN)).toEqual({
      debtorAccount: { bban: '80501100017' },
      instructedAmount: { currency: 'NOK', amount: '1250.00' },
      creditorAccount: { bban: '80501200011' },
      creditorName: 'Granli Trelast AS',
      remittanceInformationUnstructured: 'Faktura 4711',
      requestedExecutionDate: '2026-12-01',
      purposeCode: 'SUPP',
    })
  })

  test('has the creditor’s address, in the bank’s field names, where its product has one', () => {
    const address = { streetName: 'Storgata', buildingNumber: '1', city: 'Oslo', postCode: '0155', country: 'NO' }
    const creditor = { ...sampleOrder().creditor, address }
    const sent = (bic: (typeof SANDBOX_BICS)[number]) =>
      paymentBody(sampleOrder({ creditor }), dialectOf(sandboxBank(bic, PLACE).profile))['creditorAddress']
    const { city, ...same } = address
    expect(sent('FJORNO22')).toEqual({ ...same, townName: city })
    expect(sent('FJELNO22')).toEqual({
      street: 'Storgata',
      buildingNumber: '1',
      city: 'Oslo',
      postalCode: '0155',
      country: 'NO',
    })
    expect([sent('MALBSESS'), sent('ORESDK22'), sent('SAIMFIHH')]).toEqual([undefined, undefined, undefined])
    expect(paymentBody(sampleOrder(), NORWEGIAN)).not.toHaveProperty('creditorAddress')
  })

  test('has the currency of the debtor account where accounts in other currencies have its number', () => {
    const { debtor } = sampleOrder()
    expect(paymentBody(sampleOrder({ debtor: { ...debtor, sharesNumber: true } }), NORWEGIAN)).toMatchObject({
      debtorAccount: { bban: '80501100017', currency: 'NOK' },
    })
  })

  test('may have no remittance information', () => {
    expect(Object.keys(paymentBody(sampleOrder({ remittance: null }), NORWEGIAN)).join()).not.toContain('remittance')
  })

  test('has a reference in the bank’s format, and no message', () => {
    const reference = { remittance: { type: 'ocr', value: '2345676' } } as const
    const scor = { reference: '2345676', referenceType: 'SCOR' }
    expect(bodyAt('FJORNO22', reference)).toMatchObject({ remittanceInformationStructuredArray: [scor] })
    expect(bodyAt('FJELNO22', reference)).toMatchObject({ remittanceInformationStructured: scor })
    expect(bodyAt('SAIMFIHH', reference)).toMatchObject({ remittanceInformationStructured: '2345676' })
    const { reference: _form, ...silent } = NORWEGIAN
    expect(paymentBody(sampleOrder(reference), silent)).toMatchObject({ remittanceInformationStructured: '2345676' })
    expect(bodyAt('MALBSESS', reference)).toMatchObject({
      remittanceInformationStructured: { reference: '2345676', referenceType: 'OCR' },
    })
    for (const bic of SANDBOX_BICS) {
      expect(Object.keys(bodyAt(bic, reference)).join()).not.toContain('Unstructured')
    }
  })

  test('has a Swedish giro number in the bank’s format', () => {
    const bankgiro = { creditor: { account: { type: 'bankgiro', number: '5402-9681' }, name: 'X' } } as const
    const plusgiro = { creditor: { account: { type: 'plusgiro', number: '902003-3' }, name: 'X' } } as const
    expect(bodyAt('MALBSESS', bankgiro)).toMatchObject({ creditorAccount: { bban: 'BG 5402-9681' } })
    expect(bodyAt('MALBSESS', plusgiro)).toMatchObject({ creditorAccount: { bban: 'PG 902003-3' } })
  })

  test('has a message to a giro number as a typed reference where the bank supports that', () => {
    const creditor = { account: { type: 'bankgiro', number: '5402-9681' }, name: 'X' } as const
    const message = { reference: 'Faktura 4711', referenceType: 'MSG' }
    expect(bodyAt('MALBSESS', { creditor })).toMatchObject({ remittanceInformationStructured: message })
    expect(bodyAt('MALBSESS', {})).toMatchObject({ remittanceInformationUnstructured: 'Faktura 4711' })
    expect(bodyAt('VASASESS', { creditor })).toMatchObject({ remittanceInformationUnstructured: 'Faktura 4711' })
  })

  test('on a Danish payment form has the creditor number, and its card type next to the payment id', () => {
    const creditor = { account: { type: 'payment-form', number: '81234567' }, name: 'X' } as const
    const form = { type: 'fik', cardType: '71', paymentId: '000100017156728', message: null } as const
    const body = bodyAt('ORESDK22', { creditor, remittance: form })
    expect(body).toMatchObject({
      creditorAccount: { other: { identification: '81234567', schemeNameProprietary: 'giro' } },
      remittanceInformationStructured: { reference: '71/000100017156728', referenceType: 'SCOR' },
    })
    expect(body).not.toHaveProperty('remittanceInformationUnstructuredArray')
    const withMessage = { type: 'fik', cardType: '73', paymentId: null, message: 'Faktura 4711' } as const
    expect(bodyAt('ORESDK22', { creditor, remittance: withMessage })).toMatchObject({
      remittanceInformationStructured: { reference: '73', referenceType: 'SCOR' },
      remittanceInformationUnstructuredArray: ['Faktura 4711'],
    })
  })

  test('has accounts as IBAN where the bank requires it, and by number where no IBAN is certain', () => {
    expect(bodyAt('SAIMFIHH', {})).toMatchObject({
      debtorAccount: { iban: expect.stringMatching(/^FI\d\d40550001000013$/) },
      creditorAccount: { iban: expect.stringMatching(/^FI\d\d40550002000012$/) },
    })
    const uncertain = { account: { type: 'account', bban: '93305930160535', iban: null }, name: 'X' } as const
    expect(bodyAt('SKARSESS', { creditor: uncertain })).toMatchObject({ creditorAccount: { bban: '93305930160535' } })
  })

  test('has the debtor’s own reference and the purpose only where there is a field for them', () => {
    const change = {
      purposeCode: 'SALA',
      remittance: { type: 'message', value: 'Lön', debtorReference: 'verifikat 7' },
    } as const
    expect(bodyAt('MALBSESS', change)).toMatchObject({ debtorAccountStatementText: 'verifikat 7' })
    expect(bodyAt('MALBSESS', change)).not.toHaveProperty('purposeCode')
    expect(bodyAt('VASASESS', change)).toMatchObject({ purposeCode: 'SALA' })
    expect(JSON.stringify(bodyAt('VASASESS', change))).not.toContain('verifikat')
  })

  test('has its end-to-end id only where the product has one, truncated to what the bank accepts', () => {
    const long = { endToEndId: 'a'.repeat(36) }
    expect(bodyAt('HAVBNO22', long)).not.toHaveProperty('endToEndIdentification')
    expect(bodyAt('VSKYNO22', long)['endToEndIdentification']).toHaveLength(35)
    expect(bodyAt('LIMFDK22', long)['endToEndIdentification']).toHaveLength(31)
    expect(bodyAt('VSKYNO22', { endToEndId: 'invoice-1' })).toMatchObject({ endToEndIdentification: 'invoice-1' })
  })
})

describe('for any order', () => {
  test('a message in chunks is the message, and no chunk is longer than the bank accepts', () => {
    assert(
      property(string({ minLength: 1, maxLength: 140 }), (value) => {
        const body = bodyAt('BLTBDK22', { remittance: { type: 'message', value } })
        const pieces = body['remittanceInformationUnstructuredArray']
        const found = Array.isArray(pieces) ? pieces.map(String) : []
        expect(found.join('')).toBe(value)
        expect(found.every((piece) => piece.length > 0 && piece.length <= 35)).toBe(true)
      }),
    )
  })

  test('end-to-end ids that differ stay different, and none is longer than permitted', () => {
    const start = string({ minLength: 30, maxLength: 40 })
    assert(
      property(start, string(), string(), constantFrom(16, 31, 35), (same, one, other, max) => {
        const [first, second] = [
          endToEndIdFor(same + one, { endToEndIdMax: max }),
          endToEndIdFor(same + other, { endToEndIdMax: max }),
        ]
        expect(first?.length).toBeLessThanOrEqual(max)
        expect(first === second).toBe(one === other)
      }),
    )
    // An entry has it without these blanks.
    expect(endToEndIdFor(' A 1 ', { endToEndIdMax: 35 })).toMatch(/^A 1-[0-9a-f]{8}$/)
  })

  test.each(SANDBOX_BICS)('%s returns an order that can be recognised, on every rail', (bic) => {
    const bank = sandboxBank(bic, PLACE)
    const order = sandboxOrder(bank, DAY, 125_000n)
    const creditors = [order.creditor.account, ...giroAccounts].filter(({ type }) => bank.profile.rails[type])
    for (const account of creditors) {
      const body = bodyAt(bic, { creditor: { account, name: 'X' } })
      const { debtor } = order
      const placed = submittedAs({ ...order, creditor: { account, name: 'X' } }, 'p1')
      expect(toOrderShownByBank(held(body), placed, bank.countryCode)).toEqual({
        debtorBban: debtor.bban,
        creditorBban: creditorAccountNumber(account),
        amount: order.amount,
      })
    }
  })
})

describe('an order from the bank', () => {
  test('is parsed into domestic numbers, also where the bank returns IBANs', () => {
    const debtorAccount = { iban: 'NO9386011117947' }
    const instructedAmount = { currency: 'NOK', amount: '10.5' }
    const held = { debtorAccount, creditorAccount: { bban: '32074068323' }, instructedAmount }
    expect(toOrderShownByBank(held, sampleSubmittedOrder(), 'NO')).toEqual({
      debtorBban: '86011117947',
      creditorBban: '32074068323',
      amount: { minor: 1_050n, currency: 'NOK' },
    })
  })

  test('is recognised by a Swedish IBAN without the clearing number only if it is that account’s', () => {
    const placed = { ...SUBMITTED, debtorBban: '6000806967498', creditorBban: '6240219161038' }
    const debtorAccount = { iban: 'SE5460000000000806967498' }
    const theirs = { debtorAccount, creditorAccount: { iban: 'SE6760000000000219161038' } }
    expect(toOrderShownByBank(theirs, placed, 'SE')).toMatchObject({
      debtorBban: '6000806967498',
      creditorBban: '6240219161038',
    })
    const other = { debtorAccount, creditorAccount: { iban: 'SE5460000000000806967498' } }
    expect(toOrderShownByBank(other, placed, 'SE')).toMatchObject({ creditorBban: null })
  })

  test('to another giro with the same digits is another order', () => {
    const placed = { ...SUBMITTED, debtorBban: '54391024039', creditorBban: '5402-9681' }
    const reported = (bban: string) => toOrderShownByBank({ creditorAccount: { bban } }, placed, 'SE').creditorBban
    expect(reported('BG 5402-9681')).toBe('5402-9681')
    expect(reported('BG54029681')).toBe('5402-9681')
    expect(reported('54029681')).toBe('5402-9681')
    expect(reported('PG 5402968-1')).toBe('5402968-1')
    expect(reported('BG 297-3675')).toBe('297-3675')
  })

  test('on a payment form is the same with and without leading zeros', () => {
    const placed = { ...SUBMITTED, debtorBban: '00400440116243', creditorBban: '01234567' }
    const reported = (identification: string) =>
      toOrderShownByBank({ creditorAccount: { other: { identification } } }, placed, 'DK').creditorBban
    expect(reported('1234567')).toBe('01234567')
    expect(reported('01234567')).toBe('01234567')
    expect(reported('11234567')).toBe('11234567')
  })

  test('to an account that is known by its IBAN is the same with the number inside it', () => {
    const creditorBban = 'FI8579812345678900'
    const placed = { ...SUBMITTED, debtorBban: '12345600000785', creditorBban }
    const reported = (account: object) => toOrderShownByBank({ creditorAccount: account }, placed, 'FI').creditorBban
    expect(reported({ iban: creditorBban })).toBe(creditorBban)
    expect(reported({ bban: creditorBban.slice(4) })).toBe(creditorBban)
    expect(reported({ bban: '79812345678901' })).toBe('79812345678901')
  })

  test('may be incomplete, or have an invalid number', () => {
    expect(toOrderShownByBank({ creditorAccount: { iban: 'NO9386011117948' } }, sampleSubmittedOrder(), 'NO')).toEqual({
      debtorBban: null,
      creditorBban: null,
      amount: null,
    })
    expect(toOrderShownByBank({ creditorAccount: { bban: '1' } }, sampleSubmittedOrder(), 'NO').creditorBban).toBe('1')
  })
})

const giroAccounts: readonly CreditorAccount[] = [
  { type: 'bankgiro', number: '5402-9681' },
  { type: 'bankgiro', number: '297-3675' },
  { type: 'plusgiro', number: '902003-3' },
  { type: 'plusgiro', number: '1-8' },
  { type: 'payment-form', number: '81234567' },
  { type: 'payment-form', number: '1234567' },
]

function bodyAt(bic: string, change: Partial<DomesticOrder>): Record<string, unknown> {
  const bank = sandboxBank(bic, PLACE)
  const dialect: Dialect = dialectOf(bank.profile)
  return paymentBody({ ...sandboxOrder(bank, DAY, 125_000n), ...change }, dialect)
}

/** A bank shows an order as it was sent. */
function held(body: Record<string, unknown>): PaymentDetails {
  return parsePaymentDetails(JSON.stringify(body)) ?? expect.fail('The order is not of the standard’s shape')
}
