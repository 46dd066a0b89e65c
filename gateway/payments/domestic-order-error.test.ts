/** Tests that every bank error about an order becomes an error that the operation lists, at the right path. */
import { describe, expect, test } from 'vitest'
import { operations } from '../../contract/operations.ts'
import { BankError, type OrderError } from '../banks/connector/bank-error.ts'
import { domesticOrderError } from '../orders/submit/order-errors.ts'
import { renderErrorResponse } from '../platform/http/errors/render-error.ts'

const ERROR_CONTEXT = { svcRequestId: 'id', baseUrl: 'http://gateway.example' }

const { failures, validation } = operations.initiateDomesticPayment

function answerTo(rejection: BankError): { status: number; body: unknown } {
  return renderErrorResponse(domesticOrderError(rejection), ERROR_CONTEXT)
}

describe('a rejection by the bank', () => {
  test.each([
    ['consent-invalid', 'INVALID_CONSENT'],
    ['access-denied', 'ACCESS_DENIED'],
    ['account-unknown', 'ACCESS_DENIED'],
    ['unsupported-product', 'UNSUPPORTED_PRODUCT_BY_BANK'],
    ['authentication-busy', 'AUTHENTICATION_TEMPORARY_UNAVAILABLE'],
    ['ocr-rejected', 'INVALID_OCR'],
  ] as const)('%s becomes %s, which the operation lists', (kind, failure) => {
    expect(answerTo(new BankError(kind, 'text'))).toMatchObject({ status: 400, body: { failure } })
    expect(failures).toContain(failure)
  })

  test.each([
    ['too-many-reads', 429],
    ['unavailable', 503],
    ['unknown-resource', 409],
    ['request-rejected', 400],
    ['misconfigured', 503],
  ] as const)('%s becomes %i', (kind, status) => {
    expect(answerTo(new BankError(kind, 'certificate 17 of ours')).status).toBe(status)
  })

  test('an error in our configuration is returned without its text', () => {
    const { body } = answerTo(new BankError('misconfigured', 'certificate 17 of ours'))
    expect(JSON.stringify(body)).not.toContain('certificate')
  })

  test('a rejected due date is an error at .dueDate', () => {
    expect(answerTo(new BankError('due-date-rejected', 'The bank is closed'))).toMatchObject({
      status: 422,
      body: [{ code: 'InvalidDueDate', reason: 'The bank is closed', path: '.dueDate' }],
    })
  })
})

describe('a field of the order that the bank does not accept', () => {
  test.each<[OrderError['field'], OrderError['cause'], string, string]>([
    ['endToEndId', 'invalid', 'InvalidRequest', '.metadata.endToEndId'],
    ['debtorAccount', 'invalid', 'InvalidBBAN', '.from.account.bban'],
    ['debtorName', 'too-long', 'SenderNameTooLong', '.from.contactInformation.name'],
    ['debtorName', 'characters', 'InvalidCharacters', '.from.contactInformation.name'],
    ['creditorAccount', 'invalid', 'InvalidAccountNumber', '.to.account.bban'],
    ['creditorName', 'too-long', 'RecipientNameTooLong', '.to.contactInformation.name'],
    ['amount', 'invalid', 'InvalidAmount', '.amount.amount'],
    ['dueDate', 'invalid', 'InvalidDueDate', '.dueDate'],
    ['remittance', 'too-long', 'InvalidRemittanceInfo', '.remittanceInformation'],
    ['remittance', 'characters', 'InvalidCharacters', '.remittanceInformation'],
    ['other', 'invalid', 'InvalidRequest', '.'],
  ])('%s, %s: %s at %s', (field, cause, code, path) => {
    const rejection = new BankError('order-rejected', 'text', [{ field, cause, text: 'so it says' }])
    const reason = 'The bank does not accept it: so it says'
    expect(answerTo(rejection)).toMatchObject({ status: 422, body: [{ code, reason, path }] })
    expect(validation).toContain(code)
  })
})
