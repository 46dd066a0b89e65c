/** Tests that every bank error about a cross-border order becomes an error that the operation lists. */
import { describe, expect, test } from 'vitest'
import { operations } from '../../contract/operations.ts'
import { BankError, type OrderError } from '../banks/connector/bank-error.ts'
import { crossBorderOrderError } from '../orders/submit/order-errors.ts'
import { renderErrorResponse } from '../platform/http/errors/render-error.ts'

const ERROR_CONTEXT = { svcRequestId: 'id', baseUrl: 'http://gateway.example' }

const { failures, validation } = operations.initiateCrossBorderPayment

function answerTo(rejection: BankError): { status: number; body: unknown } {
  return renderErrorResponse(crossBorderOrderError(rejection), ERROR_CONTEXT)
}

describe('a rejection by the bank', () => {
  test.each([
    ['consent-invalid', 'INVALID_CONSENT'],
    ['access-denied', 'ACCESS_DENIED'],
    ['account-unknown', 'ACCESS_DENIED'],
    ['unsupported-product', 'UNSUPPORTED_PRODUCT_BY_BANK'],
    ['authentication-busy', 'AUTHENTICATION_TEMPORARY_UNAVAILABLE'],
    ['due-date-rejected', 'UNSUPPORTED_DUE_DATE'],
  ] as const)('%s becomes %s, which the operation lists', (kind, failure) => {
    expect(answerTo(new BankError(kind, 'text'))).toMatchObject({ status: 400, body: { failure } })
    expect(failures).toContain(failure)
  })

  test.each([
    ['too-many-reads', 429],
    ['unavailable', 503],
    ['request-rejected', 400],
    ['misconfigured', 503],
  ] as const)('%s becomes %i', (kind, status) => {
    expect(answerTo(new BankError(kind, 'text')).status).toBe(status)
  })
})

describe('a field of the order that the bank does not accept', () => {
  test.each<[OrderError['field'], string, string]>([
    ['endToEndId', 'InvalidRequest', '.metadata.endToEndId'],
    ['debtorAccount', 'InvalidFromAccount', '.from.account.bban'],
    ['debtorName', 'InvalidRequest', '.from.contactInformation.name'],
    ['creditorAccount', 'InvalidBbanOrIban', '.to.account'],
    ['creditorName', 'InvalidRequest', '.to.contactInformation.name'],
    ['creditorAgent', 'InvalidBIC', '.to.account.bic'],
    ['creditorAddress', 'InvalidToAddress', '.to.contactInformation.address'],
    ['regulatoryReporting', 'InvalidRequest', '.regulatoryReporting'],
    ['amount', 'InvalidRequest', '.amount'],
    ['dueDate', 'InvalidDueDate', '.dueDate'],
    ['remittance', 'InvalidRequest', '.remittanceInformation.message'],
    ['other', 'InvalidRequest', '.'],
  ])('%s is returned as %s at %s', (field, code, path) => {
    const rejection = new BankError('order-rejected', 'text', [{ field, cause: 'too-long', text: 'The bank says so' }])
    const reason = 'The bank does not accept it: The bank says so'
    expect(answerTo(rejection)).toMatchObject({ status: 422, body: [{ code, reason, path }] })
    expect(validation).toContain(code)
  })
})
