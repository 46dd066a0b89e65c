/** Declares the operations on consents: ask for one, read, list and revoke. */
import { type Static, Type } from 'typebox'
import { operation } from './operation.ts'
import { callbackUrl, Sca } from './sca.ts'
import {
  bicOf,
  countryCode,
  dayOrInstant,
  filledText,
  instant,
  organizationNumberAsked,
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
      'AUTHORIZATION_REQUIRED: the user must accept at the bank. ACCEPTED: in force. REJECTED: the user or the bank ' +
      'refused. CANCELLED: the user left, or 15 minutes passed. EXPIRED: validUntil passed. REVOKED: see the reason.',
  },
)
export type ConsentStatus = Static<typeof ConsentStatus>

export const ConsentStatusReason = Type.Enum(['USER', 'PARTNER', 'BANK', 'REPLACED_BY_NEW_CONSENT'], {
  title: 'ConsentStatusReason',
  description: 'Who ended the consent, or that a newer one of the same user took its place.',
})
export type ConsentStatusReason = Static<typeof ConsentStatusReason>

export const ConsentAsked = Type.Object(
  {
    bic: bicOf("The bank's BIC."),
    organizationNumber: organizationNumberAsked('The organisation number of the company whose accounts are meant.'),
    callbackUrl,
    userId: Type.Optional(
      filledText(TEXT_CHARACTERS_MAX.userId, "The user's id at the bank, required where the bank's record says so."),
    ),
    bankBranch: Type.Optional(
      filledText(TEXT_CHARACTERS_MAX.bankBranch, 'The branch, for banks that are entered by branch.'),
    ),
    country: Type.Optional(countryCode('The country of the company (ISO 3166-1 alpha-2).')),
    preferredScaMethod: Type.Optional(PreferredScaMethod),
  },
  { title: 'ConsentAsked', description: 'Which company and bank a consent is asked for.' },
)
export type ConsentAsked = Static<typeof ConsentAsked>

export const ConsentStarted = Type.Object(
  {
    id: uuid('What is sent as consent-id once the user has accepted.'),
    status: ConsentStatus,
    validUntil: instant('When the consent ends if nobody ends it before.'),
    sca: Sca,
  },
  { title: 'ConsentStarted', description: 'A consent that the user must accept at the bank.' },
)
export type ConsentStarted = Static<typeof ConsentStarted>

const ConsentNotice = Type.Object(
  {
    code: Type.Enum(['CONSENT_EXPIRING'], {
      description:
        'CONSENT_EXPIRING: it ends within seven days. Ask for a new one for the same user; this one stays in force ' +
        'until the user has accepted that.',
    }),
    since: instant('Since when this is so.'),
    validUntil: instant('When the consent ends.'),
  },
  { title: 'ConsentNotice', description: 'Something that its partner should see to. More codes may come.' },
)

export const Consent = Type.Object(
  {
    id: uuid('The consent-id.'),
    status: ConsentStatus,
    statusReason: Type.Optional(ConsentStatusReason),
    validUntil: instant('When the consent ends if nobody ends it before.'),
    createdAt: instant('When it was asked for.'),
    updatedAt: instant('When its status changed last.'),
    bic: bicOf("The bank's BIC."),
    bankBranch: Type.Optional(text('The branch that was asked for.')),
    country: countryCode('The country of the company (ISO 3166-1 alpha-2).'),
    organizationNumber: text('The organisation number of the company.'),
    userIdMasked: Type.Optional(text("The user's id at the bank, with all but a few characters hidden.")),
    notices: Type.Array(ConsentNotice, { description: 'What its partner should see to; mostly nothing.' }),
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
  server: 'base',
  tag,
  summary: 'Ask for a consent',
  description: 'Send the user to `sca.url`. Once accepted, the id is the `consent-id` of everything that follows.',
  admits: 'partner',
  psu: 'required',
  body: ConsentAsked,
  answer: { status: 200, schema: ConsentStarted },
  failures: ['AUTHENTICATION_TEMPORARY_UNAVAILABLE', 'UNSUPPORTED_PRODUCT_BY_BANK', 'ACCESS_DENIED'],
  refusals: [400, 401, 403, 404, 409, 429, 500, 503],
  validation: ['InvalidRequest'],
  idempotent: true,
  sandboxOnly: false,
})

export const getConsent = operation({
  id: 'getConsent',
  method: 'GET',
  path,
  server: 'base',
  tag,
  summary: 'Read a consent',
  description: 'Reads the consent that the `consent-id` header names, whatever its status.',
  admits: 'consent',
  consentState: 'any',
  psu: 'none',
  answer: { status: 200, schema: Consent },
  failures: ['INVALID_CONSENT'],
  refusals: [401, 403, 429, 500, 503],
  validation: [],
  idempotent: false,
  sandboxOnly: false,
})

export const revokeConsent = operation({
  id: 'revokeConsent',
  method: 'DELETE',
  path,
  server: 'base',
  tag,
  summary: 'Revoke a consent',
  description:
    'Ends the consent here at once, and at the bank as soon as the bank can be reached. Payments that were signed under ' +
    'it are followed all the same.',
  admits: 'consent',
  psu: 'required',
  answer: { status: 204, schema: null },
  failures: ['INVALID_CONSENT'],
  refusals: [400, 401, 403, 404, 409, 429, 500, 503],
  validation: [],
  idempotent: false,
  sandboxOnly: false,
})

/** More is asked for by company, or by expiry. */
export const CONSENTS_LISTED_MAX = 500

const ConsentList = Type.Array(Consent, {
  description:
    `The partner's newest ${CONSENTS_LISTED_MAX} consents, newest first; with \`expiringBefore\` the ` +
    `${CONSENTS_LISTED_MAX} that end first, in that order.`,
})

export const listConsents = operation({
  id: 'listConsents',
  method: 'GET',
  path: `${path}/list`,
  server: 'base',
  tag,
  summary: 'List consents',
  admits: 'partner',
  psu: 'none',
  query: Type.Object({
    organizationNumber: Type.Optional(text('Consents of this company.')),
    expiringBefore: Type.Optional(dayOrInstant('Consents in force whose validUntil lies before this time.')),
  }),
  answer: { status: 200, schema: ConsentList },
  failures: [],
  refusals: [400, 401, 403, 429, 500, 503],
  validation: ['InvalidRequest'],
  idempotent: false,
  sandboxOnly: false,
})
