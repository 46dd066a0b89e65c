/** Examples of the operations on consents. */

import type { Consent } from '../consents.ts'
import type { ExamplesById } from '../operations.ts'
import {
  bic,
  callbackUrl,
  consentId,
  organizationNumber,
  payrollBic,
  payrollConsentId,
  userId,
} from './demo-fixture.ts'

const validUntil = '2027-05-22T09:00:00.000Z'

const accepted: Consent = {
  id: consentId,
  status: 'ACCEPTED',
  validUntil,
  createdAt: '2026-11-23T09:00:00.000Z',
  updatedAt: '2026-11-23T09:00:41.310Z',
  bic,
  country: 'NO',
  organizationNumber,
  userIdMasked: '018*****345',
  excludedAccounts: { count: 1, reason: 'ANOTHER_OWNER' },
  notices: [],
}

const expiring: Consent = {
  ...accepted,
  notices: [{ code: 'CONSENT_EXPIRING', since: '2027-05-15T09:00:00.000Z', validUntil }],
}

export const consentExamples = {
  createConsent: [
    {
      summary: "The demo company's accounts at Fjordbanken",
      body: { bic, organizationNumber, callbackUrl, userId, country: 'NO', preferredScaMethod: 'Redirect' },
      answer: {
        id: consentId,
        status: 'AUTHORIZATION_REQUIRED',
        validUntil,
        sca: { type: 'redirect', url: 'http://127.0.0.1:8080/sign/u8XrT2cVb5nM1kQwE7yZpL4sD9fGhJ0aRtK3iOxN6Bc' },
      },
    },
    {
      summary: 'Its accounts at a bank that offers payrolls',
      body: { bic: payrollBic, organizationNumber, callbackUrl, userId, country: 'NO' },
      answer: {
        id: payrollConsentId,
        status: 'AUTHORIZATION_REQUIRED',
        validUntil,
        sca: { type: 'redirect', url: 'http://127.0.0.1:8080/sign/d3LkW8yTq5vR0pXn7sZbM2cJfUhG9aEoI4iB6xC1tQw' },
      },
    },
  ],
  getConsent: [{ summary: 'A valid consent', answer: accepted }],
  listConsents: [
    {
      summary: 'Consents that expire soon',
      query: { organizationNumber, expiringBefore: '2027-06-01' },
      answer: [expiring],
    },
  ],
  revokeConsent: [{ summary: 'A consent that is no longer needed', answer: undefined }],
} satisfies Partial<ExamplesById>
