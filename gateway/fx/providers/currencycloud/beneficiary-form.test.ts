/** Tests mapping of clearing codes and addresses to and from the provider's format. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recorded } from '../../testing/recorded-provider.ts'
import { beneficiaryForm, intermediaryAccountOf } from './beneficiary-form.ts'
import { encodeForm } from './form-encoding.ts'
import { routingCodes } from './routing-codes.ts'
import { readFundingAccounts } from './wire.ts'

describe('clearing codes', () => {
  test.each([
    ['US', '021000021', { aba: '021000021' }],
    ['AU', '062000', { bsb_code: '062000' }],
    ['GB', '123456', { sort_code: '123456' }],
    ['JE', '123456', { sort_code: '123456' }],
    ['IN', 'HDFC0000123', { ifsc: 'HDFC0000123' }],
    ['CN', '102100099996', { cnaps: '102100099996' }],
    ['CA', '000410001', { institution_no: '004', branch_code: '10001' }],
    ['HK', '004', { bank_code: '004' }],
    ['HK', '004123', { bank_code: '004', branch_code: '123' }],
    ['SG', '7171001', { bank_code: '7171', branch_code: '001' }],
    ['JP', '0001123', { bank_code: '0001', branch_code: '123' }],
    ['ZA', '051001', { branch_code: '051001' }],
    ['TH', '002', { bank_code: '002' }],
    ['constructor', '1', { bank_code: '1' }],
  ])('of %s: %s', (country, code, expected) => {
    const pairs = Object.entries(expected).flatMap(([type, value], index) => [
      [`routing_code_type_${index + 1}`, type],
      [`routing_code_value_${index + 1}`, value],
    ])
    expect(routingCodes(country, code)).toEqual(Object.fromEntries(pairs))
  })

  test('lose no character, for any country', () => {
    const countries = fc.constantFrom('US', 'CA', 'HK', 'SG', 'JP', 'ZA', 'BD', 'LK')
    fc.assert(
      fc.property(countries, fc.stringMatching(/^[0-9]{1,12}$/), (country, code) => {
        const form = routingCodes(country, code)
        const values = [form['routing_code_value_1'], form['routing_code_value_2'] ?? '']
        const whole = country === 'CA' && values[1] !== '' ? `0${values.join('')}` : values.join('')
        expect(whole).toBe(code)
      }),
    )
  })
})

test('unknown values are left out, and no value can become another field', () => {
  const form = beneficiaryForm({
    name: 'A&amount=1',
    entityType: 'company',
    bankCountry: 'DE',
    currency: 'EUR',
    account: { iban: 'DE89370400440532013000' },
    address: { country: 'DE' },
    taxCode: 'X1',
    method: 'regular',
  })
  expect(Object.fromEntries(new URLSearchParams(encodeForm(form)))).toEqual({
    bank_country: 'DE',
    currency: 'EUR',
    iban: 'DE89370400440532013000',
    'payment_types[]': 'regular',
    beneficiary_entity_type: 'company',
    beneficiary_company_name: 'A&amount=1',
    beneficiary_country: 'DE',
    beneficiary_identification_type: 'others',
    beneficiary_identification_value: 'X1',
  })
})

describe('funding accounts', () => {
  const [sample] = readFundingAccounts(JSON.stringify(recorded('funding-accounts').body))?.funding_accounts ?? []
  const account = (change: object) => ({ ...sample, ...change }) as NonNullable<typeof sample>
  const requested = { currency: 'GBP', country: 'GB' }

  test.each([
    [
      '12 Steward Street, The Steward Building, London, E1 6FQ, GB',
      ['12 Steward Street, The Steward Building', 'London', 'E1 6FQ', 'GB'],
    ],
    ['Tollbugata 8, 0152 Oslo, NO', ['Tollbugata 8', 'Oslo', '0152', 'NO']],
    ['Skeppsbron 20, 111 30 Stockholm, SE', ['Skeppsbron 20', 'Stockholm', '111 30', 'SE']],
    ['Toldbodgade 12, 1253 København K, DK', ['Toldbodgade 12', 'København K', '1253', 'DK']],
    ['London', ['London', null, null, null]],
    ['London, UK', ['London', null, null, 'GB']],
    ['', [null, null, null, null]],
  ])('at %j', (line, [street, city, postCode, country]) => {
    const address = { street, city, postCode, country }
    expect(intermediaryAccountOf([account({ bank_address: line })], requested)?.holder.address).toEqual(address)
  })

  test('are those of a local clearing where there is a choice, of the requested country and currency', () => {
    const swift = account({ payment_type: 'priority', account_number: '1' })
    const local = account({ payment_type: 'regular', account_number: '2' })
    const [abroad, other] = [account({ bank_country: 'NO', account_number: '3' }), account({ currency: 'EUR' })]
    expect(intermediaryAccountOf([abroad, other, swift, local], requested)).toMatchObject({ bban: '2', country: 'GB' })
    expect(intermediaryAccountOf([abroad, swift], requested)).toMatchObject({ bban: '1' })
    expect(intermediaryAccountOf([abroad, other], requested)).toBeNull()
  })

  test.each([
    ['DK', '0440116243', '0040', '00400440116243'],
    ['DK', '00400440116243', '0040', '00400440116243'],
    ['SE', '1024039', '5439', '54391024039'],
    ['NO', '86011117947', '8601', '86011117947'],
  ])('in %s, %s under the code %s, have the domestic number', (country, number, code, bban) => {
    const numbers = { account_number: number, routing_code: code, routing_code_type: 'bank_code' }
    const reported = account({ ...numbers, bank_country: country })
    expect(intermediaryAccountOf([reported], { currency: 'GBP', country })).toMatchObject({ bban, clearingCode: code })
  })

  test('have an IBAN and a BIC where they are reported as such', () => {
    const change = { account_number: 'GB61 TCCL 0099 7950 4238 07', account_number_type: 'IBAN' }
    const reported = account({ ...change, routing_code: 'TCCLGB31', routing_code_type: 'bic_swift' })
    const numbers = { iban: 'GB61TCCL00997950423807', bban: null, bic: 'TCCLGB31', clearingCode: null }
    expect(intermediaryAccountOf([reported], requested)).toMatchObject(numbers)
  })
})
