/** Tests that no digest in the database gives away what could be guessed: it is of random bits, or has a key. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSourceFiles } from '../setup/source-files.ts'
import { nordicBank } from './testing/banks/nordic-banks.ts'
import { sendRawRequest, validHeaders } from './testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from './testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment } from './testing/payments/sample-payments.ts'
import { openPayrollFixture, PAYROLL_BANKS } from './testing/payrolls/payroll-fixture.ts'

/** `random`: of a secret of 256 random bits. `keyed`: by `context.digest`, or of a text with a sealed random part. */
const kindByColumn: Readonly<Record<string, 'random' | 'keyed'>> = {
  'approval_payments.order_digest': 'keyed',
  'bank_reports_processed.digest': 'keyed',
  'clients.former_secret_hash': 'random',
  'clients.secret_hash': 'random',
  'consent_accounts.stable_id': 'keyed',
  'console_invitations.token_hash': 'random',
  'console_sessions.token_hash': 'random',
  'console_sign_ins.state_hash': 'random',
  'console_sign_ins.token_hash': 'random',
  'expired_orders.notification_token_hash': 'random',
  'idempotency.fingerprint': 'keyed',
  'onboarding_sessions.token_hash': 'random',
  'onboarding_signers.link_hash': 'random',
  // Of a document with a random part, which identity providers sign.
  'onboardings.document_hash': 'keyed',
  'onboardings.link_hash': 'random',
  // Of payrolls, in place of their creditors.
  'payments.creditor_bban': 'keyed',
  'payments.notification_token_hash': 'random',
  'payrolls.content_digest': 'keyed',
  'sca_sessions.browser_hash': 'random',
  'sca_sessions.confirm_hash': 'random',
  'sca_sessions.link_hash': 'random',
  'sca_steps.callback_hash': 'keyed',
  'sca_steps.notification_hash': 'random',
  'sca_steps.return_hash': 'random',
  // The thumbprint of a random public key.
  'token_keys.kid': 'random',
  'unattended_reads.stable_id': 'keyed',
}

/** What files hash without a key: a new one belongs here only if nothing that can be guessed is stored. */
const unkeyedHashes: Readonly<Record<string, string>> = {
  'console/onboardings/onboarding-forms.ts': 'the version of a form, not stored',
  'console/sessions/begin-session.ts': 'random',
  'console/sessions/find-current-session.ts': 'random',
  'console/sign-in/interrupted-form.ts': 'random',
  'console/sign-in/passkey/passkey-routes.ts': 'random',
  'console/sign-in/pending-sign-in.ts': 'random',
  'console/tasks/resolution-forms.ts': 'the version of a form, not stored',
  'console/users/accept-invitation.ts': 'random',
  'console/users/invite-user.ts': 'random',
  'gateway/accounts/announce-new-entries.ts': 'a keyed digest in another notation',
  'gateway/auth/authenticate-client.ts': 'random',
  'gateway/auth/authenticate.ts': 'random, not stored',
  'gateway/auth/create-partner.ts': 'random',
  'gateway/auth/rotate-client-secret.ts': 'random',
  'gateway/authorisations/authorisation/start-step-authorisation.ts': 'random',
  'gateway/authorisations/browser/handle-bank-return.ts': 'random',
  'gateway/authorisations/browser/redirect-to-bank.ts': 'random',
  'gateway/authorisations/browser/requesting-browser.ts': 'random',
  'gateway/authorisations/find-sca-sessions.ts': 'random',
  'gateway/authorisations/handle-bank-notification.ts': 'random',
  'gateway/authorisations/start-sca-session.ts': 'random',
  'gateway/banks/connector/shorten-end-to-end-id.ts': 'an id that is stored beside it',
  'gateway/banks/standards/berlin-group/transport/message-signature.ts': 'what banks receive, not stored',
  'gateway/banks/standards/berlin-group/transport/request-headers.ts': 'what banks receive, not stored',
  'gateway/banks/standards/iso20022/connector.ts': 'gets its key before it is stored',
  'gateway/entries/stable-entry-id.ts': 'the id of an entry, not stored',
  'gateway/fx/funding/record-inbound-funds.ts': 'an id of the provider',
  'gateway/onboarding/answers/submit-onboarding.ts': 'a document with a random part',
  'gateway/onboarding/onboarding-link.ts': 'random',
  'gateway/onboarding/pages/flow-session.ts': 'random',
  'gateway/onboarding/sessions/session-identification.ts': 'random',
  'gateway/onboarding/signatures/create-signer-link.ts': 'random',
  'gateway/onboarding/start-onboarding.ts': 'random',
  'gateway/orders/payroll-order.ts': 'gets its key before it is stored',
  'gateway/orders/reconcile/reconciliation.ts': 'the id of a task, of ids that are stored beside it',
  'gateway/orders/handle-payment-notification.ts': 'random',
  'gateway/orders/status/poll-schedule.ts': 'ids of ours, not stored',
  'gateway/orders/store/past-payment-store.ts': 'random',
  'gateway/orders/submit/submission.ts': 'random',
  'gateway/platform/crypto/pkce.ts': 'random',
  'gateway/platform/database/in-transaction.ts': 'statements',
  'gateway/platform/http/idempotency/serve-idempotent.ts': 'gets its key before it is stored',
  'gateway/platform/ids.ts': 'defines the hash of tokens, and ids derived from ids of ours',
  'gateway/platform/jobs/due-time-watcher.ts': 'statements',
  'gateway/simulation/data-sets/load-data-set.ts': 'the secret of the demo partner, which is public',
}

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
  await useTables()
})
afterAll(() => gateway.close())

async function rows<Row extends object>(text: string): Promise<Row[]> {
  return (await gateway.context.database.pool.query<Row>(text)).rows
}

/** Whether a column has values as long as SHA-256 in one of its notations. */
async function holdsDigests(table: string, column: string): Promise<boolean> {
  const { length } = await rows(
    `select 1 from "${table}" where "${column}" ~ '^([A-Za-z0-9_-]{43}|[0-9a-f]{64})$' limit 1`,
  )
  return length > 0
}

/** A consent, a payment under a key with an approval, a payroll and a webhook subscription. */
async function useTables(): Promise<void> {
  const consent = await acceptedConsent(gateway)
  const { paymentId } = await gateway.client.initiateDomesticPayment({
    ...consent,
    body: domesticPayment(gateway),
    idempotencyKey: 'first',
  })
  await gateway.client.approvePayments({ ...consent, body: { payments: [paymentId], callbackUrl: CALLBACK } })
  const bank = nordicBank(PAYROLL_BANKS.bulk)
  const stage = openPayrollFixture(gateway)
  await stage.order(bank, stage.payroll(bank, 1))
  await gateway.client.createWebhookSubscription({
    body: { targetUrl: 'https://erp.example/hooks', eventTypes: ['PAYMENT_STATUS'] },
  })
}

describe('every digest', () => {
  it('in a column is of random bits or keyed, whether its name or its values show it', async () => {
    const columns = await rows<{ table: string; column: string; isText: boolean }>(`
      select table_name as table, column_name as column, data_type = 'text' as "isText"
      from information_schema.columns where table_schema = 'public'`)
    const found = await Promise.all(
      columns.map(async ({ table, column, isText }) => {
        const isNamed = /(hash|digest|fingerprint|stable_id)$/.test(column)
        return isNamed || (isText && (await holdsDigests(table, column))) ? [`${table}.${column}`] : []
      }),
    )
    expect(found.flat().toSorted()).toEqual(Object.keys(kindByColumn).toSorted())
  })

  it('without a key is of random bits, of nothing that can be guessed, or not stored', async () => {
    const files = (await readSourceFiles()).filter(
      ({ path, text, isTest }) =>
        /^(gateway|console)\//.test(path) &&
        !isTest &&
        !path.includes('/testing/') &&
        /createHash\(|hashToken\(|[^.\w]hash\(/.test(text),
    )
    expect(files.map(({ path }) => path).toSorted()).toEqual(Object.keys(unkeyedHashes).toSorted())
  })
})

it('a national id cannot be guessed from the fingerprint of a request that holds it', async () => {
  const body = { bic: 'FJORNO22', organizationNumber: '987654325', userId: '01815012345', callbackUrl: CALLBACK }
  const headers = { ...(await validHeaders(gateway)), 'idempotency-key': 'guess' }
  await sendRawRequest(gateway, ['POST', '/api/v2/consents'], { headers, body })
  const [stored] = await rows<{ fingerprint: string }>(`select fingerprint from idempotency where key = 'guess'`)
  expect(stored?.fingerprint).toMatch(/^[\w-]{43}$/)
  const guess = createHash('sha256')
    .update(`\n${JSON.stringify(body)}`)
    .digest('base64url')
  expect(stored?.fingerprint).not.toBe(guess)
  expect(gateway.logLines().join('\n')).not.toContain(guess)
})
