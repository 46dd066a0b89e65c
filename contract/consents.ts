/** Declares the operations on consents: create, get, list and revoke. */
import { type Static, Type } from 'typebox'
import { operation } from './operation.ts'
import { callbackUrl, Sca } from './sca.ts'
import {
  bicOf,
  countryCode,
  dayOrInstant,
  instant,
  NOT_BLANK,
  nonBlankText,
  organizationNumberParameter,
  PreferredScaMethod,
  TEXT_CHARACTERS_MAX,
  text,
  uuid,
} from './shapes.ts'

export const ConsentStatus = Type.Enum(
  ['AUTHORIZATION_REQUIRED', 'ACCEPTED', 'REJECTED', 'CANCELLED', 'EXPIRED', 'REVOKED'],
  {
    title: 'ConsentStatus',
    description:
      'AUTHORIZATION_REQUIRED: the user must accept at the bank. ACCEPTED: valid. REJECTED: the user or the bank ' +
      'rejected it. CANCELLED: the user left, or 15 minutes passed. EXPIRED: validUntil passed. REVOKED: ' +
      'see the reason.',
  },
)
export type ConsentStatus = Static<typeof ConsentStatus>

export const ConsentStatusReason = Type.Enum(['USER', 'PARTNER', 'BANK', 'REPLACED_BY_NEW_CONSENT'], {
  title: 'ConsentStatusReason',
  description: 'Who revoked the consent, or that a newer consent of the same user replaced it.',
})
export type ConsentStatusReason = Static<typeof ConsentStatusReason>

export const ConsentRequest = Type.Object(
  {
    bic: bicOf("The bank's BIC."),
    organizationNumber: organizationNumberParameter('The organisation number of the company that owns the accounts.'),
    callbackUrl,
    userId: Type.Optional(
      Type.String({
        ...NOT_BLANK,
        maxLength: TEXT_CHARACTERS_MAX.userId,
        description: "The user's id at the bank; required if `userId.required` of the bank is true.",
        hidden: true,
      }),
    ),
    bankBranch: Type.Optional(
      nonBlankText(TEXT_CHARACTERS_MAX.bankBranch, 'The branch, for banks whose users log in by branch.'),
    ),
    country: Type.Optional(countryCode('The country of the company (ISO 3166-1 alpha-2).')),
    preferredScaMethod: Type.Optional(PreferredScaMethod),
  },
  { title: 'ConsentRequest', description: 'The company and bank of the consent.' },
)
export type ConsentRequest = Static<typeof ConsentRequest>

export const ConsentCreated = Type.Object(
  {
    id: uuid('The value of the header consent-id once the user has accepted.'),
    status: ConsentStatus,
    validUntil: instant('When the consent expires unless it is revoked before.'),
    sca: Sca,
  },
  { title: 'ConsentCreated', description: 'A consent that the user has yet to accept at the bank.' },
)
export type ConsentCreated = Static<typeof ConsentCreated>

const ConsentExpiryWarning = Type.Object(
  {
    code: Type.Enum(['CONSENT_EXPIRING'], {
      description:
        'CONSENT_EXPIRING: it expires within seven days. Create a new one for the same user; this one stays valid ' +
        'until the user has accepted the new one.',
    }),
    since: instant('When the notice began to apply.'),
    validUntil: instant('When the consent expires.'),
  },
  {
    title: 'ConsentExpiryWarning',
    description: 'A notice that requires action by the partner. More codes may be added.',
  },
)

export const Consent = Type.Object(
  {
    id: uuid('The consent-id.'),
    status: ConsentStatus,
    statusReason: Type.Optional(ConsentStatusReason),
    validUntil: instant('When the consent expires unless it is revoked before.'),
    createdAt: instant('When it was created.'),
    updatedAt: instant('When its status last changed.'),
    bic: bicOf("The bank's BIC."),
    bankBranch: Type.Optional(text('The branch of the request.')),
    country: countryCode('The country of the company (ISO 3166-1 alpha-2).'),
    organizationNumber: text('The organisation number of the company.'),
    userIdMasked: Type.Optional(text("The user's id at the bank, masked except for a few characters.")),
    excludedAccounts: Type.Optional(
      Type.Object(
        {
          count: Type.Integer({ minimum: 1, description: 'How many accounts are not listed.' }),
          reason: Type.Enum(['ANOTHER_OWNER'], {
            description:
              'ANOTHER_OWNER: by the name that the bank reports, they belong to another owner than the company of the ' +
              'consent. If it is the company, its registered name has changed: ask the operator. More reasons may be added.',
          }),
        },
        {
          title: 'ExcludedAccounts',
          description:
            'Accounts that the bank returned last and that the consent does not include; absent if there are none.',
        },
      ),
    ),
    notices: Type.Array(ConsentExpiryWarning, {
      description: 'Notices that require action by the partner; usually empty.',
    }),
    sca: Type.Optional(Sca),
  },
  { title: 'Consent', description: "A user's access to a company's accounts at a bank." },
)
export type Consent = Static<typeof Consent>

const tag = 'Consents'
const path = '/api/v2/consents'

export const createConsent = operation({
  id: 'createConsent',
  method: 'POST',
  path,
  tag,
  summary: 'Create a consent',
  description: 'Send the user to `sca.url`. Once accepted, send the id as `consent-id` in other operations.',
  admits: 'partner',
  psu: 'required',
  body: ConsentRequest,
  answer: { status: 200, schema: ConsentCreated },
  failures: ['AUTHENTICATION_TEMPORARY_UNAVAILABLE', 'UNSUPPORTED_PRODUCT_BY_BANK', 'ACCESS_DENIED'],
  errorStatuses: [400, 401, 403, 404, 409, 429, 500, 503],
  validation: ['InvalidRequest'],
  idempotent: true,
})

export const getConsent = operation({
  id: 'getConsent',
  method: 'GET',
  path,
  tag,
  summary: 'Get a consent',
  description: 'Returns the consent of the `consent-id` header, in any status.',
  admits: 'consent',
  consentState: 'any',
  answer: { status: 200, schema: Consent },
  failures: ['INVALID_CONSENT'],
  errorStatuses: [401, 403, 429, 500, 503],
})

export const revokeConsent = operation({
  id: 'revokeConsent',
  method: 'DELETE',
  path,
  tag,
  summary: 'Revoke a consent',
  destructive: 'The consent ends for good. Its user must sign a new one.',
  description:
    'Revokes the consent here at once, and at the bank as soon as it can be reached. Payments that were signed under ' +
    'it are still tracked.',
  admits: 'consent',
  psu: 'required',
  answer: { status: 204, schema: null },
  failures: ['INVALID_CONSENT'],
  errorStatuses: [400, 401, 403, 404, 409, 429, 500, 503],
})

/** Older consents are found with the filters by company and by expiry. */
export const CONSENTS_LISTED_MAX = 500

const ConsentList = Type.Array(Consent, {
  description:
    `The partner's newest ${CONSENTS_LISTED_MAX} consents, newest first; with \`expiringBefore\` the ` +
    `${CONSENTS_LISTED_MAX} that expire first, in that order.`,
})

export const listConsents = operation({
  id: 'listConsents',
  method: 'GET',
  path: `${path}/list`,
  tag,
  summary: 'List consents',
  description: 'The consents of the partner, optionally of one company, or those that expire before a time.',
  admits: 'partner',
  query: Type.Object({
    organizationNumber: Type.Optional(text('Consents of this company.')),
    expiringBefore: Type.Optional(dayOrInstant('Valid consents with validUntil before this time.')),
  }),
  answer: { status: 200, schema: ConsentList },
  errorStatuses: [400, 401, 403, 429, 500, 503],
  validation: ['InvalidRequest'],
})
