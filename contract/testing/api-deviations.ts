/** Lists where the contract differs from what the published API documents, each with its reason. */
import { eventFamilies } from '../webhooks/event-types.ts'

const FX = ['quoteExchange', 'validateExchange'] as const
const WEBHOOKS = [
  'createWebhookSubscription',
  'updateWebhookSubscription',
  'rotateWebhookBearerToken',
  'testWebhookSubscription',
] as const
const ONBOARDING = ['startOnboarding', 'registerCompany'] as const

/** `all` allows a difference in every operation and requires it in none. */
export const apiDeviations: readonly {
  readonly operations: 'all' | readonly string[]
  readonly differences: readonly string[]
  readonly reason: string
}[] = [
  {
    operations: 'all',
    differences: ['status 429'],
    reason: 'Rate limits are not in the published API; every client is limited and gets Retry-After.',
  },
  {
    operations: ['issueToken', ...FX, ...ONBOARDING, ...WEBHOOKS],
    differences: ['status 500', 'status 503'],
    reason: 'The published API has these statuses for payments and accounts only; a fault can happen anywhere.',
  },
  {
    operations: [...FX, 'createWebhookSubscription', 'rotateWebhookBearerToken', 'testWebhookSubscription'],
    differences: ['status 409'],
    reason: 'Only with the additive header Idempotency-Key, while the first request with the key is still running.',
  },
  {
    operations: [...ONBOARDING, ...WEBHOOKS],
    differences: ['status 403'],
    reason: 'Credentials that may not call the operation; the published API has no permissions here.',
  },
  {
    operations: [...ONBOARDING, 'testWebhookSubscription', 'issueToken'],
    differences: ['status 400'],
    reason: 'A body or a header that cannot be read; the token endpoint has the errors of RFC 6749.',
  },
  {
    operations: ['issueToken'],
    differences: ['request field .client_id is not required', 'request field .client_secret is not required'],
    reason: 'The credentials may be sent by HTTP Basic instead; one of the two is required.',
  },
  {
    operations: ['createWebhookSubscription', 'updateWebhookSubscription'],
    differences: Object.entries(eventFamilies)
      .filter(([family]) => family !== 'PAYMENT_STATUS')
      .flatMap(([family, types]) => [family, ...types])
      .map((type) => `request value of .eventTypes[] ${type}`),
    reason: 'Additional types of events, which a subscription gets only if it names them.',
  },
  {
    operations: ['initiateCrossBorderPayment'],
    differences: ['request field .to.account.bban is not required', 'request value of .to.account.type iban'],
    reason: 'An IBAN may also be sent as `iban`; bban is required with the type bban.',
  },
  {
    operations: FX,
    differences: ['streetName', 'buildingNumber', 'city', 'postCode', 'country'].map(
      (member) => `request field .to.contactInformation.address.${member} is required`,
    ),
    reason: 'The payment itself requires all five, so that an order that passes validation can be submitted.',
  },
  {
    operations: ['approvePayments', 'cancelPayment', 'approvePayrolls', 'cancelPayroll', ...ONBOARDING],
    differences: ['validation code InvalidRequest'],
    reason: 'The published API lists no validation codes here; an invalid body gets the general one.',
  },
  {
    operations: [...FX, 'createWebhookSubscription', 'rotateWebhookBearerToken', 'testWebhookSubscription'],
    differences: ['validation code InvalidRequest'],
    reason: 'Only with the additive header Idempotency-Key, for a key that is reused with another body.',
  },
  {
    operations: ['approvePayrolls', 'cancelPayroll'],
    differences: ['failure ACCESS_DENIED'],
    reason: 'The debtor account is not on the consent of the acting user, as with payments.',
  },
  {
    operations: ['revokeConsent'],
    differences: ['failure INVALID_CONSENT', 'status 400'],
    reason: 'A missing or unknown consent-id, or missing PSU headers, as in other operations.',
  },
  {
    operations: ['listExtendedAccountEntries'],
    differences: [
      'request field ?fromDate is required',
      'request field ?toDate is required',
      'validation code InvalidRequest',
    ],
    reason:
      'The published API has no required flags; no bank lists entries without a range, and an invalid one is reported.',
  },
  {
    operations: ['listExtendedAccountEntries'],
    differences: ['failure AUTHENTICATION_TEMPORARY_UNAVAILABLE', 'failure UNSUPPORTED_PRODUCT_BY_BANK', 'status 406'],
    reason:
      'A bank may lack the product or be unable to authenticate; 406 only where Accept allows none of the media types.',
  },
  {
    operations: ['getPayrollStatus', 'listExtendedAccountEntries'],
    differences: ['no status 409'],
    reason: 'Nothing can conflict with reading.',
  },
  {
    operations: ONBOARDING,
    differences: ['no status 404'],
    reason: 'Nothing is looked up by an id; the body of the documented 404 is not shown.',
  },
]
