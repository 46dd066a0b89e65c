/** Tests beneficiaries: validation errors and searches; and the list of funding accounts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, startTestFxProvider, type TestFxProvider } from '../../testing/test-fx-provider.ts'

let fx: TestFxProvider
beforeAll(async () => {
  fx = await startTestFxProvider()
})
afterAll(() => fx.close())

const american = {
  bank_country: 'US',
  currency: 'USD',
  account_number: '123456789',
  routing_code_type_1: 'aba',
  routing_code_value_1: '021000021',
  bic_swift: 'CHASUS33',
  beneficiary_entity_type: 'company',
  beneficiary_company_name: 'Acme Inc',
  beneficiary_country: 'US',
  beneficiary_address: '1 Main Street',
  beneficiary_city: 'Boston',
  beneficiary_postcode: '02110',
}
const german = { bank_country: 'DE', currency: 'EUR', iban: 'DE89370400440532013000', beneficiary_city: 'Köln' }
const named = { name: 'Acme Inc', bank_account_holder_name: 'Acme Inc' }

const validate = (form: Readonly<Record<string, string>>) => fx.post('/beneficiaries/validate', form)
const codesOf = ({ body }: Answer) =>
  Object.values(Object(body['error_messages'])).flatMap((validationErrors) =>
    [validationErrors].flat().map((validationError) => String(Object(validationError).code)),
  )
const without = (form: Readonly<Record<string, string>>, ...names: string[]) =>
  Object.fromEntries(Object.entries(form).filter(([name]) => !names.includes(name)))

describe('a beneficiary', () => {
  test.each([american, german])('in $bank_country is accepted as documented', async (form) => {
    const { status, body } = await validate(form)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...without(form, 'beneficiary_address'), payment_types: ['priority', 'regular'] })
  })

  test.each([
    ['an IBAN with a wrong check digit', { ...german, iban: 'DE88370400440532013000' }, ['iban_is_invalid']],
    ['an IBAN of another country', { ...german, iban: 'NO9386011117947' }, ['iban_is_invalid']],
    ['no IBAN in an IBAN country', without(german, 'iban'), ['iban_is_missing', 'bic_swift_is_missing']],
    ['no account number', without(american, 'account_number'), ['account_number_is_missing']],
    ['letters in an account number', { ...american, account_number: 'mine' }, ['account_number_is_invalid']],
    ['no routing number', without(american, 'routing_code_type_1', 'routing_code_value_1'), ['aba_is_missing']],
    [
      'a routing number with a wrong check digit',
      { ...american, routing_code_value_1: '021000022' },
      ['aba_is_invalid'],
    ],
    ['no BIC', { ...american, bic_swift: 'CHASE' }, ['bic_swift_is_invalid']],
    [
      'a company without a name',
      without(american, 'beneficiary_company_name'),
      ['beneficiary_company_name_is_missing'],
    ],
    ['no town', without(german, 'beneficiary_city'), ['beneficiary_city_is_too_short']],
    ['no post code', without(american, 'beneficiary_postcode'), ['beneficiary_postcode_is_missing']],
    ['a country without payments', { ...german, bank_country: 'KP' }, ['bank_country_is_not_supported']],
    ['an unsupported currency', { ...german, currency: 'KPW' }, ['currency_code_is_invalid']],
  ])('with %s is rejected', async (_what, form, codes) => {
    const answer = await validate(form)
    expect([answer.status, ...codesOf(answer)]).toEqual([400, ...codes])
  })

  test('with several errors is rejected for all of them at once', async () => {
    const answer = await validate({ ...american, account_number: 'x', bic_swift: 'x', beneficiary_city: '' })
    expect(codesOf(answer).toSorted()).toEqual([
      'account_number_is_invalid',
      'beneficiary_city_is_too_short',
      'bic_swift_is_invalid',
    ])
  })

  test('that is paid over a local clearing needs no address', async () => {
    const answer = await fx.post('/beneficiaries/validate', {
      ...without(german, 'beneficiary_city'),
      'payment_types[]': 'regular',
    })
    expect([answer.status, answer.body['payment_types']]).toEqual([200, ['regular']])
  })

  test('is stored, and found by a reference of the caller’s', async () => {
    const form = { ...german, ...named, beneficiary_external_reference: 'deal-1' }
    const { body } = await fx.post('/beneficiaries/create', form)
    const found = await fx.post('/beneficiaries/find', { beneficiary_external_reference: 'deal-1' })
    expect(found.body).toMatchObject({ beneficiaries: [body], pagination: { total_entries: 1 } })
    expect((await fx.post('/beneficiaries/find', { beneficiary_external_reference: 'deal-2' })).body).toMatchObject({
      beneficiaries: [],
    })
  })

  test('is not stored when it is only validated', async () => {
    await validate({ ...german, iban: 'DE75512108001245126199' })
    expect((await fx.post('/beneficiaries/find', { iban: 'DE75512108001245126199' })).body).toMatchObject({
      beneficiaries: [],
    })
  })

  test('is rejected when that is simulated', async () => {
    await fx.control('/faults', { effect: 'refuse-beneficiary', times: 1 })
    expect(codesOf(await validate(german))).toEqual(['account_number_is_invalid'])
    expect((await validate(german)).status).toBe(200)
  })
})

describe('the funding accounts', () => {
  test('of a currency are listed', async () => {
    const { body } = await fx.get('/funding_accounts/find', { currency: 'EUR' })
    const places = [body['funding_accounts']].flat().map((one) => Object(one).bank_country)
    expect(places).toEqual(['FI', 'NO', 'SE', 'DK'])
  })
})
