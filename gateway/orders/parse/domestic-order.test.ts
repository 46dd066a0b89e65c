/** Tests the format in which numbers and references are sent to banks, however the partner wrote them. */
import { describe, expect, test } from 'vitest'
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import { creditorAccountNumber, kindOfCreditorNumber } from '../../banks/connector/bank-order.ts'
import { orderOfAcceptedPayment, withListedDebtor } from './domestic-payment-parts.ts'

const debtors = { NO: '8050 11 00017', SE: '5439-1024039', DK: '0040 440116243', FI: 'FI21 1234 5600 0007 85' }

function order(country: keyof typeof debtors, bban: string, more: Partial<DomesticPayment> = {}): DomesticPayment {
  return {
    metadata: { endToEndId: 'INV-1' },
    from: {
      account: { type: 'bban', bban: debtors[country] },
      contactInformation: { name: 'Handel' },
      currency: 'NOK',
    },
    to: { account: { type: 'bban', bban }, contactInformation: { name: 'Leverans' } },
    amount: { amount: '100', currency: 'NOK' },
    dueDate: '2026-11-24',
    ...more,
  }
}

const fik = (parts: object): Partial<DomesticPayment> => ({
  remittanceInformation: { type: 'fik', value: '', ...parts },
})
const LINE_71 = '+71<100017156728+81234567<'

describe('the receiver', () => {
  test.each([
    ['NO', '8601.11.17947', { type: 'account', bban: '86011117947', iban: 'NO9386011117947' }],
    ['SE', '6000-806967498', { type: 'account', bban: '6000806967498', iban: 'SE5460000000000806967498' }],
    ['SE', '9330-5930160535', { type: 'account', bban: '93305930160535', iban: null }],
    ['SE', 'BG 54029681', { type: 'bankgiro', number: '5402-9681' }],
    ['SE', 'PG 90 20 03-3', { type: 'plusgiro', number: '902003-3' }],
    ['DK', '0040 440116243', { type: 'account', bban: '00400440116243', iban: 'DK5000400440116243' }],
    ['FI', 'FI21 1234 5600 0007 85', { type: 'account', bban: '12345600000785', iban: 'FI2112345600000785' }],
    ['FI', '123456-785', { type: 'account', bban: '12345600000785', iban: 'FI2112345600000785' }],
  ] as const)('in %s written %s is %o', (country, written, account) => {
    const { creditor } = orderOfAcceptedPayment(order(country, written), country)
    expect(creditor.account).toEqual(account)
    expect(kindOfCreditorNumber(creditorAccountNumber(creditor.account), country)).toBe(account.type)
  })

  test('of a Danish payment form is the creditor number, and its kind can be derived from it later', () => {
    const { creditor } = orderOfAcceptedPayment(order('DK', '8123-4567', fik({ value: LINE_71 })), 'DK')
    expect(creditor.account).toEqual({ type: 'payment-form', number: '81234567' })
    expect(kindOfCreditorNumber(creditorAccountNumber(creditor.account), 'DK')).toBe('payment-form')
  })
})

describe('the debtor', () => {
  test.each([
    ['NO', '80501100017', 'NO9680501100017'],
    ['SE', '54391024039', 'SE4450000000054391024039'],
    ['DK', '00400440116243', 'DK5000400440116243'],
    ['FI', '12345600000785', 'FI2112345600000785'],
  ] as const)('in %s has its number and IBAN', (country, bban, iban) => {
    const { debtor } = orderOfAcceptedPayment(order(country, receivers[country]), country)
    expect(debtor).toMatchObject({ bban, iban })
  })

  test('has the IBAN by which its bank knows it, where the bank reported one', () => {
    const { debtor } = withListedDebtor(orderOfAcceptedPayment(order('SE', '5402-9681'), 'SE'), {
      iban: 'SE4550000000058398257466',
      sharesNumber: false,
    })
    expect(debtor).toMatchObject({ bban: '54391024039', iban: 'SE4550000000058398257466' })
  })
})

const receivers = { NO: '86011117947', SE: '5402-9681', DK: '0040 440116244', FI: '10093000123458' }

describe('the remittance', () => {
  const remittance = (country: keyof typeof debtors, given: object, bban: string = receivers[country]) =>
    orderOfAcceptedPayment(order(country, bban, { remittanceInformation: given } as Partial<DomesticPayment>), country)
      .remittance

  test('is a reference in its stored form', () => {
    expect(remittance('NO', { type: 'ocr', value: '234 5676' })).toEqual({ type: 'ocr', value: '2345676' })
    expect(remittance('FI', { type: 'ocr', value: '00000000000001234561' })).toEqual({ type: 'ocr', value: '1234561' })
    expect(remittance('FI', { type: 'ocr', value: 'rf18 5390 0754 7034' })).toEqual({
      type: 'ocr',
      value: 'RF18539007547034',
    })
  })

  test('of a payment form has its payment id in full length, and its message', () => {
    expect(remittance('DK', { type: 'fik', value: LINE_71 }, '81234567')).toEqual({
      type: 'fik',
      cardType: '71',
      paymentId: '000100017156728',
      message: null,
    })
    const form = {
      type: 'fik',
      cardType: '75',
      paymentId: '1234567897',
      creditorNumber: '81234567',
      message: 'Faktura',
    }
    expect(remittance('DK', form, '81234567')).toEqual({
      type: 'fik',
      cardType: '75',
      paymentId: '0000001234567897',
      message: 'Faktura',
    })
    expect(remittance('DK', { type: 'fik', value: '+73<+81234567<', message: 'Faktura 4711' }, '81234567')).toEqual({
      type: 'fik',
      cardType: '73',
      paymentId: null,
      message: 'Faktura 4711',
    })
  })

  test('is a message as it was written, or nothing', () => {
    const message = { type: 'message', value: 'Faktura 20455', debtorReference: 'Leie' }
    expect(remittance('NO', message)).toEqual(message)
    expect(orderOfAcceptedPayment(order('NO', receivers.NO), 'NO').remittance).toBeNull()
  })
})

test('the purpose code is sent', () => {
  expect(orderOfAcceptedPayment(order('NO', receivers.NO, { purposeCode: 'TAXS' }), 'NO').purposeCode).toBe('TAXS')
  expect(orderOfAcceptedPayment(order('NO', receivers.NO), 'NO').purposeCode).toBeNull()
})

test('the address of the creditor is sent with town and country, and not without them', () => {
  const at = (address: object) => {
    const { to } = order('NO', receivers.NO)
    const ordered = order('NO', receivers.NO, { to: { ...to, contactInformation: { name: 'X', address } } })
    return orderOfAcceptedPayment(ordered, 'NO').creditor.address
  }
  expect(at({ streetName: ' ', city: ' Oslo ', country: 'NO' })).toEqual({ city: 'Oslo', country: 'NO' })
  for (const incomplete of [
    { city: 'Oslo' },
    { streetName: 'Storgata', country: 'NO' },
    { city: ' ', country: 'NO' },
  ]) {
    expect(at(incomplete)).toBeUndefined()
  }
})

test('an order that validation would have rejected is an internal error', () => {
  expect(() => orderOfAcceptedPayment(order('NO', '1'), 'NO')).toThrow(/Expected a payment that was validated/)
  expect(() => orderOfAcceptedPayment(order('DK', '81234567', fik({ value: 'no form' })), 'DK')).toThrow(
    /Expected a payment that was validated/,
  )
})
