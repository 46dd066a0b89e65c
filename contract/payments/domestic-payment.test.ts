/** Tests the error code and path of each malformed field of a domestic payment, with the validator of the server. */
import { Ajv, type ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { GENERAL_VALIDATION_CODE } from '../errors/error-codes.ts'
import { bill, invoice } from '../examples/demo-fixture.ts'
import { DomesticPayment } from './domestic-payment.ts'

const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  strict: true,
  strictTypes: false,
  discriminator: true,
  keywords: ['invalid', 'form', 'quotable'],
})
addFormats.default(ajv)
const check = ajv.compile(DomesticPayment)

const { from, to } = invoice
const withRemittance = (remittanceInformation: unknown) => ({ ...invoice, remittanceInformation })
const withAmount = (amount: unknown) => ({ ...invoice, amount: { amount, currency: 'NOK' } })
const without = (name: string) => Object.fromEntries(Object.entries(invoice).filter(([member]) => member !== name))

describe('a domestic payment', () => {
  it.each([
    ['with a message', invoice],
    ['with an OCR reference', bill],
    ['without remittance information', without('remittanceInformation')],
    ['with a printed FIK line', withRemittance({ type: 'fik', value: '+71<000000000000018+81234567' })],
    [
      'with the parts of a FIK',
      withRemittance({ type: 'fik', cardType: '73', creditorNumber: '81234567', message: 'Tak' }),
    ],
    ['with a number as organisation number', { ...invoice, from: { ...from, organizationNumber: 987654325 } }],
    ['with unknown fields', { ...invoice, colour: 'blue', to: { ...to, nickname: 'Granli' } }],
    ['with four decimals, which some currencies have', withAmount('0.0001')],
  ])('is accepted %s', (_, body) => {
    expect(validationErrorsOf(body)).toEqual([])
  })

  it.each<[string, unknown, string]>([
    ['no object', 'payment', 'InvalidRequest '],
    ['no amount', without('amount'), 'InvalidRequest .amount'],
    ['an amount that is not an object', { ...invoice, amount: '1.00' }, 'InvalidAmount .amount'],
    ['an amount that is a number', withAmount(100.5), 'InvalidAmount .amount.amount'],
    ['a negative amount', withAmount('-1'), 'InvalidAmount .amount.amount'],
    ['an exponent', withAmount('1e3'), 'InvalidAmount .amount.amount'],
    ['a leading zero', withAmount('01.00'), 'InvalidAmount .amount.amount'],
    ['a comma', withAmount('1,00'), 'InvalidAmount .amount.amount'],
    ['no decimals after the point', withAmount('1.'), 'InvalidAmount .amount.amount'],
    ['an amount of 13 digits', withAmount('1000000000000'), 'InvalidAmount .amount.amount'],
    ['a line break after the amount', withAmount('1.00\n'), 'InvalidAmount .amount.amount'],
    [
      'a currency in lower case',
      { ...invoice, amount: { amount: '1', currency: 'nok' } },
      'InvalidAmount .amount.currency',
    ],
    ['a due date in another format', { ...invoice, dueDate: '25.11.2026' }, 'InvalidDueDate .dueDate'],
    ['a thirteenth month', { ...invoice, dueDate: '2026-13-01' }, 'InvalidDueDate .dueDate'],
    ['no due date', without('dueDate'), 'InvalidRequest .dueDate'],
    [
      'an empty debtor account',
      { ...invoice, from: { ...from, account: { type: 'bban', bban: '' } } },
      'InvalidBBAN .from.account.bban',
    ],
    [
      'a debtor account that is a number',
      { ...invoice, from: { ...from, account: { type: 'bban', bban: 1 } } },
      'InvalidBBAN .from.account.bban',
    ],
    [
      'an empty creditor account',
      { ...invoice, to: { ...to, account: { type: 'bban', bban: '' } } },
      'InvalidAccountNumber .to.account.bban',
    ],
    [
      'an account named by iban',
      { ...invoice, to: { ...to, account: { type: 'iban', bban: '1' } } },
      'InvalidRequest .to.account.type',
    ],
    [
      'a blank name',
      { ...invoice, to: { ...to, contactInformation: { name: ' ' } } },
      'InvalidRequest .to.contactInformation.name',
    ],
    ['a blank endToEndId', { ...invoice, metadata: { endToEndId: '' } }, 'InvalidRequest .metadata.endToEndId'],
    [
      'an organisation number that is an object',
      { ...invoice, from: { ...from, organizationNumber: {} } },
      'InvalidRequest .from.organizationNumber',
    ],
    ['an unknown purpose', { ...invoice, purposeCode: 'GIFT' }, 'InvalidRequest .purposeCode'],
    [
      'remittance information that is a text',
      withRemittance('Faktura'),
      'InvalidRemittanceInfo .remittanceInformation',
    ],
    [
      'remittance information without a type',
      withRemittance({ value: '1' }),
      'InvalidRemittanceInfo .remittanceInformation',
    ],
    [
      'remittance information of an unknown type',
      withRemittance({ type: 'kid', value: '1' }),
      'InvalidRemittanceInfo .remittanceInformation',
    ],
    [
      'a message without text',
      withRemittance({ type: 'message' }),
      'InvalidRemittanceInfo .remittanceInformation.value',
    ],
    [
      'an OCR that is a number',
      withRemittance({ type: 'ocr', value: 2345676 }),
      'InvalidRemittanceInfo .remittanceInformation.value',
    ],
    [
      'a FIK in neither format',
      withRemittance({ type: 'fik', cardType: '71' }),
      'InvalidRemittanceInfo .remittanceInformation',
    ],
    [
      'a FIK line that is a number',
      withRemittance({ type: 'fik', value: 71 }),
      'InvalidRemittanceInfo .remittanceInformation.value',
    ],
    [
      'a FIK of an unknown type',
      withRemittance({ type: 'fik', cardType: '99', creditorNumber: '1' }),
      'InvalidRemittanceInfo .remittanceInformation.cardType',
    ],
  ])('with %s has exactly one error', (_, body, validationError) => {
    expect(validationErrorsOf(body)).toEqual([validationError])
  })

  it('reports all errors at once', () => {
    const body = { ...withAmount('0x1'), dueDate: 'soon', to: { ...to, account: { type: 'bban', bban: '' } } }
    expect(validationErrorsOf(body).toSorted()).toEqual([
      'InvalidAccountNumber .to.account.bban',
      'InvalidAmount .amount.amount',
      'InvalidDueDate .dueDate',
    ])
  })
})

/** The errors of the branches of an `anyOf` are omitted: the `anyOf` itself reports it once. */
function validationErrorsOf(body: unknown): readonly string[] {
  const errors = check(body) ? [] : (check.errors ?? [])
  return errors.filter(({ schemaPath }) => !/\/anyOf\/\d/.test(schemaPath)).map(validationErrorOf)
}

function validationErrorOf({ keyword, instancePath, params, parentSchema }: ErrorObject): string {
  const missing = keyword === 'required' ? String(params['missingProperty']) : undefined
  const schema = missing === undefined ? parentSchema : parentSchema?.['properties']?.[missing]
  const path = [instancePath.slice(1), missing].filter(Boolean).join('.').replaceAll('/', '.')
  return `${schema?.['invalid']?.[keyword] ?? GENERAL_VALIDATION_CODE} ${path === '' ? '' : `.${path}`}`
}
