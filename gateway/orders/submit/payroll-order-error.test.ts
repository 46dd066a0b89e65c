/** Tests the error of a payroll that a bank rejects: its code and path, without the bank's text. */
import { describe, expect, test } from 'vitest'
import { BankError, type BankErrorKind, type OrderError } from '../../banks/connector/bank-error.ts'
import { ApiError, InvalidRequestError } from '../../platform/http/errors/api-error.ts'
import { pathBelow } from '../parse/validate-payroll.ts'
import { toPayrollApiError } from './order-errors.ts'

const BANKS_TEXT = 'Kontoen til Ragnhild Hemmelig er sperret'

const refusalOf = (kind: BankErrorKind, validationErrors: readonly Omit<OrderError, 'text'>[] = []) =>
  toPayrollApiError(
    new BankError(
      kind,
      BANKS_TEXT,
      validationErrors.map((validationError) => ({ ...validationError, text: BANKS_TEXT })),
    ),
  )
const validationErrorOf = (validationError: Omit<OrderError, 'text'>) => {
  const refusal = refusalOf('order-rejected', [validationError])
  return refusal instanceof InvalidRequestError
    ? refusal.validationErrors.map(({ code, path }) => [code, path])
    : expect.fail('No list')
}

describe('a field that a bank does not accept is returned with its path', () => {
  test.each<[Omit<OrderError, 'text'>, string, string]>([
    [
      { position: 17, field: 'creditorAccount', cause: 'invalid' },
      'InvalidAccountNumber',
      '.transactions[17].account.bban',
    ],
    [{ position: 0, field: 'creditorName', cause: 'too-long' }, 'RecipientNameTooLong', '.transactions[0].name'],
    [{ position: 2, field: 'creditorName', cause: 'characters' }, 'InvalidCharacters', '.transactions[2].name'],
    [
      { position: 2, field: 'remittance', cause: 'invalid' },
      'InvalidRemittanceInfo',
      '.transactions[2].remittanceInformation',
    ],
    [{ position: 2, field: 'other', cause: 'invalid' }, 'InvalidRequest', '.transactions[2]'],
    [{ field: 'amount', cause: 'invalid' }, 'InvalidAmount', '.transactions'],
    [{ field: 'debtorName', cause: 'too-long' }, 'SenderNameTooLong', '.from.name'],
    [{ position: 4, field: 'dueDate', cause: 'invalid' }, 'InvalidDueDate', '.dueDate'],
    [{ field: 'other', cause: 'invalid' }, 'InvalidRequest', '.transactions'],
    [{ field: 'other', member: 'paymentInformationId', cause: 'invalid' }, 'InvalidRequest', '.'],
    [{ position: 2, field: 'other', member: 'purposeCode', cause: 'invalid' }, 'InvalidRequest', '.transactions[2]'],
  ])('%j: %s at %s', (validationError, code, path) => {
    expect(validationErrorOf(validationError)).toEqual([[code, path]])
  })
})

test.each([
  ['.', '.payrolls[3]'],
  ['.dueDate', '.payrolls[3].dueDate'],
])('the path %s is %s in a bulk', (path, inBulk) => {
  expect(pathBelow('.payrolls[3]', path)).toBe(inBulk)
})

test('a field that a payroll does not have is named as the bank named it', () => {
  const refusal = refusalOf('order-rejected', [{ field: 'other', member: 'paymentInformationId', cause: 'invalid' }])
  expect(refusal).toMatchObject({ validationErrors: [{ reason: 'The bank does not accept paymentInformationId' }] })
})

test.each<[BankErrorKind, string]>([
  ['ocr-rejected', 'INVALID_OCR'],
  ['access-denied', 'ACCESS_DENIED'],
  ['account-unknown', 'ACCESS_DENIED'],
  ['consent-invalid', 'INVALID_CONSENT'],
  ['unsupported-product', 'UNSUPPORTED_PRODUCT_BY_BANK'],
  ['authentication-busy', 'AUTHENTICATION_TEMPORARY_UNAVAILABLE'],
  ['unavailable', 'unavailable'],
])('a bank’s %s is %s with a text of ours', (kind, code) => {
  const refusal = refusalOf(kind)
  expect(refusal).toMatchObject({ reasonCode: code })
  expect(refusal.message).not.toContain('Ragnhild')
})

test('a due date that the bank does not accept is an error at the due date, with a text of ours', () => {
  const refusal = refusalOf('due-date-rejected')
  const reason = 'The bank does not accept the due date'
  expect(refusal).toMatchObject({ validationErrors: [{ code: 'InvalidDueDate', path: '.dueDate', reason }] })
})

test('an error about missing references names the transactions', () => {
  const refusal = refusalOf('ocr-rejected', [{ position: 17, field: 'remittance', cause: 'invalid' }])
  expect(refusal instanceof ApiError && refusal.message).toBe(
    'The creditor requires a structured reference: .transactions[17].remittanceInformation',
  )
})
