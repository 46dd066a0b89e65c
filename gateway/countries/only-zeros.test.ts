/** Tests that numbers of zeros are invalid, whatever their check digits. */
import { describe, expect, test } from 'vitest'
import { checkAccountNumber } from './account-number.ts'
import { checkIban } from './iban.ts'
import { checkReference } from './served-countries.ts'

describe('only zeros', () => {
  test.each([
    ['NO', '00000000000'],
    ['SE', '54390000000'],
    ['SE', '90010000000'],
    ['SE', '8327-9 0000000000'],
    ['SE', '0000-0000'],
    ['DK', '00400000000000'],
    ['DK', '00000000000000'],
    ['FI', '00000000000000'],
  ])('are no account of %s: %s', (country, text) => {
    expect(checkAccountNumber(country, text).ok).toBe(false)
  })

  test.each(['SE3550000000000000000000', 'DE36000000000000000000', 'DK1900000000000000'])('are no IBAN: %s', (text) => {
    expect(checkIban(text).ok).toBe(false)
  })

  test.each([
    ['NO', '0000'],
    ['NO', '0000000000'],
    ['SE', '0000'],
    ['FI', '0000'],
    ['FI', 'RF9700'],
    ['FI', 'RF05000000'],
  ])('are no reference of %s: %s', (country, text) => {
    expect(checkReference(country, text).ok).toBe(false)
  })

  test.each([
    ['01', undefined, '00000000'],
    ['73', undefined, '00000000'],
    ['71', '000000000000000', '81234567'],
  ])('are no payment form: card type %s', (cardType, paymentId, creditorNumber) => {
    const id = paymentId === undefined ? {} : { paymentId }
    expect(checkReference('DK', { type: 'fik', cardType, creditorNumber, ...id }).ok).toBe(false)
  })
})
