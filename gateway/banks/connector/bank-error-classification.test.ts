/** Guards the classification of bank errors: one exhaustive table, and no other comparison of kinds. */
import { describe, expect, it } from 'vitest'
import { readSourceFiles } from '../../../setup/source-files.ts'
import { ApiError, InvalidRequestError } from '../../platform/http/errors/api-error.ts'
import { BankError, type BankErrorKind } from './bank-error.ts'
import {
  bankErrorToApiError,
  endsAccess,
  isBankError,
  isCausedByRequest,
  isCertainlyNotExecuted,
  isConsentGone,
  isResourceGone,
  isTemporary,
} from './bank-error-classification.ts'

const KINDS = [
  'consent-invalid',
  'token-invalid',
  'access-denied',
  'unsupported-product',
  'unsupported',
  'authentication-busy',
  'ocr-rejected',
  'account-unknown',
  'order-rejected',
  'due-date-rejected',
  'unknown-resource',
  'expired-resource',
  'basket-rejected',
  'cancellation-rejected',
  'too-many-reads',
  'period-rejected',
  'request-rejected',
  'unavailable',
  'outcome-unknown',
  'misconfigured',
] as const satisfies readonly BankErrorKind[]

const kindsWith = (has: (error: BankError) => boolean) => KINDS.filter((kind) => has(new BankError(kind, 'text')))

describe('a bank error', () => {
  it('leaves an unknown outcome only when the bank may have executed the request', () => {
    expect(kindsWith((error) => !isCertainlyNotExecuted(error))).toEqual(['outcome-unknown'])
    expect(isCertainlyNotExecuted(new Error('socket hang up'))).toBe(false)
  })

  it('is temporary when the same request may succeed later', () => {
    expect(kindsWith(isTemporary)).toEqual(['authentication-busy', 'too-many-reads', 'unavailable', 'outcome-unknown'])
  })

  it('ends the access, or the resource, or neither', () => {
    expect(kindsWith(endsAccess)).toEqual(['consent-invalid', 'token-invalid'])
    expect(kindsWith(isResourceGone)).toEqual(['unknown-resource', 'expired-resource'])
    expect(kindsWith(isConsentGone)).toEqual(['consent-invalid', 'unknown-resource', 'expired-resource'])
  })

  it('that is about the user, the bank or our configuration is not caused by the request', () => {
    expect(kindsWith((error) => !isCausedByRequest(error))).toEqual([
      'consent-invalid',
      'token-invalid',
      'access-denied',
      'authentication-busy',
      'account-unknown',
      'too-many-reads',
      'request-rejected',
      'unavailable',
      'outcome-unknown',
      'misconfigured',
    ])
  })

  it('becomes an API error, without detail where only the operator can repair it', () => {
    const toApi = (kind: BankErrorKind) => bankErrorToApiError(new BankError(kind, 'text'))
    const isApi = (error: Error) => error instanceof ApiError || error instanceof InvalidRequestError
    expect(KINDS.filter((kind) => !isApi(toApi(kind)))).toEqual([])
    expect(toApi('misconfigured').message).not.toContain('text')
  })

  it('is classified by its kind, and by nothing else', () => {
    expect(isBankError(new BankError('unavailable', 'text'), 'token-invalid', 'unavailable')).toBe(true)
    expect(isBankError(new BankError('unavailable', 'text'), 'token-invalid')).toBe(false)
    expect(isBankError(new Error('unavailable'), 'unavailable')).toBe(false)
  })
})

it('no file outside the standards has its own set of error kinds', async () => {
  const files = (await readSourceFiles()).filter(({ isTest, path }) => !isTest && path.startsWith('gateway/'))
  const elsewhere = files.filter(({ path }) => !path.startsWith('gateway/banks/'))
  expect(elsewhere.filter(({ text }) => /Set<BankError(Kind|\['kind'\])>/.test(text)).map(({ path }) => path)).toEqual(
    [],
  )
})
