/** Tests that the search of the documentation has the page that answers a question among its first three results. */

import { beforeAll, expect, test } from 'vitest'
import { DOCUMENTED_GATEWAY } from '../docs-settings.ts'
import { type DocsSite, openDocsSite } from '../docs-site.ts'

let site: DocsSite
beforeAll(async () => {
  site = await openDocsSite(DOCUMENTED_GATEWAY)
})

/** What is typed, and the pages that answer it, by what their paths contain. */
const QUESTIONS: readonly (readonly [query: string, ...pages: string[]])[] = [
  ['bankgiro OCR', '/guides/receivers'],
  ['FIK', '/guides/receivers'],
  ['KID', '/guides/receivers'],
  ['viitenumero', '/guides/receivers'],
  ['plusgiro account', '/guides/receivers'],
  ['salary CSV', '/guides/salaries'],
  ['lønn', '/guides/payroll', '/guides/salaries'],
  ['how do I pay salaries', '/guides/payroll', '/guides/salaries'],
  ['wages from a file', '/guides/salaries'],
  ['pain.001', '/guides/pain-files'],
  ['ReqdExctnDt', '/guides/pain-files'],
  ['two signatories', '/guides/two-signatories'],
  ['second signature', '/guides/two-signatories'],
  ['mTLS', '/guides/', 'certificate'],
  ['QWAC', 'certificate', '/guides/going-live', '/guides/adding-a-bank'],
  ['how do I verify webhook signature', '/guides/webhooks'],
  ['webhook retries', '/guides/webhooks'],
  ['webhook secret rotation', 'webhooks', 'ebhook'],
  ['hmac', '/guides/webhooks'],
  ['get an access token', '/guides/authentication', '#issueToken'],
  ['client_credentials', '/guides/authentication', '#issueToken'],
  ['token expired', '/guides/authentication', '/errors'],
  ['401 unauthorized', '/guides/authentication', '/errors', '/guides/errors'],
  ['rate limit', '/guides/errors', '/guides/authentication', 'errors'],
  ['429', 'errors', '/guides'],
  ['idempotency key', '/guides/safe-retries'],
  ['payment sent twice', '/guides/safe-retries'],
  ['what to do after a timeout', 'Timeout', '/guides/safe-retries'],
  ['unknown outcome', '/guides/safe-retries', '/guides/errors', '/guides/payment-status', 'errors'],
  ['cancel a payment', 'cancel'],
  ['payment status list', '/guides/payment-status', '/guides/statuses'],
  ['InProgress', '/guides/payment-status', '/guides/statuses'],
  ['PartlySigned', '/guides/two-signatories', '/guides/statuses'],
  ['what does REPLACED_BY_NEW_CONSENT mean', '/guides/statuses'],
  ['why was my payment rejected', '/guides/payment-status', '/guides/statuses', 'errors'],
  ['first payment', '/guides/first-payment'],
  ['getting started', '/guides/first-payment', '/docs/guides'],
  ['consent expires', '/guides/consents'],
  ['renew consent', '/guides/consents'],
  ['revoke consent', '#revokeConsent', '/guides/consents'],
  ['account balance', '#listAccounts', 'ccount'],
  ['list transactions of an account', '#listEntries', 'entries', 'ntries'],
  ['reconcile bank statement', '/guides/reconciliation'],
  ['match entries to payments', '/guides/reconciliation'],
  ['onboard a company', '/guides/onboarding'],
  ['KYC', '/guides/onboarding', 'nboarding'],
  ['organisation number', 'ompan', 'nboarding', 'rganization'],
  ['exchange rate quote', '/guides/exchange'],
  ['fx', '/guides/exchange', '/exchange'],
  ['pay in euro', '/guides/exchange', '#initiateCrossBorderPayment', '#initiate'],
  ['payment abroad', '#initiateCrossBorderPayment', 'ross-border', 'cross'],
  ['SWIFT BIC', '#initiateCrossBorderPayment', 'BIC', 'Bic', 'bic'],
  ['due date holiday', '/guides/bank-days'],
  ['weekend', '/guides/bank-days'],
  ['cut-off', '/guides/bank-days'],
  ['QR code approval', '/guides/signing', 'pprov'],
  ['BankID', '/guides/signing', '/guides/onboarding', '/guides/consents'],
  ['callback url', '/guides/signing', '/guides/consents', '#approvePayments'],
  ['sandbox bank down', '/docs/sandbox'],
  ['simulate a rejected payment', '/docs/sandbox', 'simulat'],
  ['move the clock', '#moveSandboxClock', '/docs/sandbox'],
  ['add a new bank', '/guides/adding-a-bank'],
  ['bank probe', '/guides/adding-a-bank', '/docs/command-line'],
  ['go live checklist', '/guides/going-live'],
  ['PSU-IP-Address', '/guides/authentication', 'PSU', '/guides'],
  ['InvalidDueDate', '/docs/errors#InvalidDueDate'],
  ['error format', '/guides/errors'],
]

/** Where only one page is the answer, it is the first. */
const FIRST: readonly (readonly [query: string, page: string])[] = [
  ['webhook signature', '/guides/webhooks'],
  ['verify webhook signature', '/guides/webhooks'],
  ['two signatories', '/guides/two-signatories'],
]

test.each(FIRST)('%s is answered first by %s', async (query, page) => {
  expect((await firstPaths(query))[0]).toContain(page)
})

test.each(QUESTIONS)('%s', async (query, ...pages) => {
  const answers = new RegExp(pages.map((page) => RegExp.escape(page)).join('|'))
  expect(await firstPaths(query)).toContainEqual(expect.stringMatching(answers))
})

async function firstPaths(query: string): Promise<readonly string[]> {
  const markup = await site.searchPage(query)
  return [...markup.matchAll(/<li><a href="([^"]*)">[^<]*<\/a> <span/g)].slice(0, 3).map(([, path = '']) => path)
}
