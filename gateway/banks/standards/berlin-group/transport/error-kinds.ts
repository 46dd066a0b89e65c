/** Maps error codes of the standard to error kinds, by the purpose of the request. */
import type { BankErrorKind } from '../../../connector/bank-error.ts'

/** Purpose of a request, as far as the meaning of an error depends on it. */
export type RequestPurpose =
  | 'initiation'
  | 'cancellation'
  | 'authorisation'
  | 'confirmation'
  | 'basket'
  | 'consent'
  | 'account'
  | 'entry'
  | 'status'

type KindByPurpose =
  | BankErrorKind
  | (Partial<Record<RequestPurpose, BankErrorKind>> & { readonly otherwise: BankErrorKind })

/** A map, because a plain object also has properties such as `constructor`. */
const meaningByCode: ReadonlyMap<string, KindByPurpose> = new Map(
  Object.entries<KindByPurpose>({
    CONSENT_UNKNOWN: 'consent-invalid',
    CONSENT_INVALID: 'consent-invalid',
    CONSENT_EXPIRED: 'consent-invalid',
    TOKEN_UNKNOWN: 'token-invalid',
    TOKEN_INVALID: 'token-invalid',
    TOKEN_EXPIRED: 'token-invalid',
    PSU_CREDENTIALS_INVALID: { confirmation: 'access-denied', otherwise: 'consent-invalid' },

    PRODUCT_UNKNOWN: 'unsupported-product',
    PRODUCT_INVALID: 'unsupported-product',
    PARAMETER_NOT_SUPPORTED: 'unsupported-product',
    REFERENCE_MIX_INVALID: 'basket-rejected',
    REFERENCE_STATUS_INVALID: 'basket-rejected',

    SERVICE_INVALID: { cancellation: 'cancellation-rejected', otherwise: 'unsupported-product' },

    // The text of the standard and its OpenAPI file spell this one differently.
    KID_MISSING: 'ocr-rejected',
    REQUIRED_KID_MISSING: 'ocr-rejected',

    SERVICE_BLOCKED: 'access-denied',
    CORPORATE_ID_INVALID: 'access-denied',

    RESOURCE_UNKNOWN: {
      initiation: 'account-unknown',
      account: 'account-unknown',
      consent: 'consent-invalid',
      otherwise: 'unknown-resource',
    },
    RESOURCE_EXPIRED: { initiation: 'order-rejected', account: 'account-unknown', otherwise: 'expired-resource' },
    // A payment in a signing basket, or an account closed for orders.
    RESOURCE_BLOCKED: {
      cancellation: 'cancellation-rejected',
      authorisation: 'authentication-busy',
      basket: 'basket-rejected',
      otherwise: 'access-denied',
    },
    STATUS_INVALID: {
      initiation: 'order-rejected',
      cancellation: 'cancellation-rejected',
      authorisation: 'authentication-busy',
      basket: 'basket-rejected',
      consent: 'consent-invalid',
      confirmation: 'access-denied',
      otherwise: 'misconfigured',
    },
    CANCELLATION_INVALID: 'cancellation-rejected',

    EXECUTION_DATE_INVALID: { initiation: 'due-date-rejected', otherwise: 'misconfigured' },
    FORMAT_ERROR: {
      initiation: 'order-rejected',
      basket: 'basket-rejected',
      confirmation: 'access-denied',
      // The id is the one field that a partner chooses; some banks read it before they look for the entry.
      entry: 'unknown-resource',
      otherwise: 'misconfigured',
    },
    PARAMETER_NOT_CONSISTENT: { initiation: 'order-rejected', basket: 'basket-rejected', otherwise: 'misconfigured' },
    PAYMENT_FAILED: 'order-rejected',

    ACCESS_EXCEEDED: { account: 'too-many-reads', entry: 'too-many-reads', otherwise: 'unavailable' },

    CERTIFICATE_INVALID: 'misconfigured',
    CERTIFICATE_EXPIRED: 'misconfigured',
    CERTIFICATE_BLOCKED: 'misconfigured',
    CERTIFICATE_REVOKE: 'misconfigured',
    CERTIFICATE_REVOKED: 'misconfigured',
    CERTIFICATE_MISSING: 'misconfigured',
    ROLE_INVALID: 'misconfigured',
    SIGNATURE_INVALID: 'misconfigured',
    SIGNATURE_MISSING: 'misconfigured',
    TIMESTAMP_INVALID: 'misconfigured',
    REQUESTED_FORMATS_INVALID: 'misconfigured',
    PERIOD_INVALID: { account: 'period-rejected', otherwise: 'misconfigured' },
    SESSIONS_NOT_SUPPORTED: 'misconfigured',
    SCA_METHOD_UNKNOWN: 'misconfigured',
    SCA_INVALID: { confirmation: 'access-denied', otherwise: 'misconfigured' },
  }),
)

/**
 * The code for a status without a body. A bare 404 has none: it may come from a load balancer, and must not be taken as
 * proof that an order does not exist.
 */
const codeByStatus: Readonly<Record<number, string>> = {
  400: 'FORMAT_ERROR',
  403: 'SERVICE_BLOCKED',
  405: 'SERVICE_INVALID',
  409: 'STATUS_INVALID',
  422: 'FORMAT_ERROR',
  429: 'ACCESS_EXCEEDED',
}

/** The error kind of a 4xx answer; the code may be unknown or absent. */
export function errorKindOf(purpose: RequestPurpose, status: number, code: string | undefined): BankErrorKind {
  // The status distinguishes an account without access for the user from an unknown account.
  if (purpose === 'initiation' && status === 403 && code === 'RESOURCE_UNKNOWN') {
    return 'access-denied'
  }
  // Without a code of the standard it may also mean that the bank already has this order.
  if (purpose === 'initiation' && status === 409 && !isKnownCode(code ?? '')) {
    return 'outcome-unknown'
  }
  const meaning = meaningByCode.get(code ?? '') ?? meaningByCode.get(codeByStatus[status] ?? '')
  if (meaning === undefined) {
    return 'misconfigured'
  }
  return typeof meaning === 'string' ? meaning : (meaning[purpose] ?? meaning.otherwise)
}

/** Whether the standard, or a bank we met, defines the code. */
export function isKnownCode(code: string): boolean {
  return meaningByCode.has(code)
}
