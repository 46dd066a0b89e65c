/** Lists every sealed column with the purpose of its values, so that all can be re-encrypted with a new master key. */
import { pendingSignInPurpose } from '../../console/sign-in/pending-sign-in.ts'
import { tokenKeyPurpose } from '../../gateway/auth/token-key.ts'
import { scaSealPurpose } from '../../gateway/authorisations/authorisation/start-step-authorisation.ts'
import { consentPurpose } from '../../gateway/consents/consent.ts'
import { bankTokenPurpose } from '../../gateway/consents/tokens/bank-tokens.ts'
import { dealPurpose } from '../../gateway/fx/store/deal.ts'
import { quotePurpose } from '../../gateway/fx/store/quote.ts'
import { onboardingPurpose } from '../../gateway/onboarding/store/onboarding.ts'
import { documentPurpose } from '../../gateway/onboarding/store/onboarding-document.ts'
import {
  identificationPurpose,
  proofPurpose,
  signerSecretPurpose,
} from '../../gateway/onboarding/store/onboarding-signer.ts'
import { payrollPurpose } from '../../gateway/orders/payroll.ts'
import { transactionChunkPurpose } from '../../gateway/orders/payroll-order.ts'
import { DIGEST_KEY_PURPOSE } from '../../gateway/platform/crypto/keyed-digest.ts'
import { idempotencyPurpose } from '../../gateway/platform/http/idempotency/idempotency.ts'
import { endpointPurpose } from '../../gateway/webhooks/store/subscription.ts'

export type SealedColumn = {
  readonly table: string
  readonly column: string
  /** The primary key in order; its columns are uuid, text or int. */
  readonly key: readonly string[]
  /** The purpose of a value, from the values of its row's key as texts, in the same order. */
  readonly purposeOf: (key: readonly string[]) => string
}

/** A test compares the list with the columns of the schema. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'digest_keys', column: 'key_sealed', key: ['name'], purposeOf: () => DIGEST_KEY_PURPOSE },
  { table: 'token_keys', column: 'private_jwk_sealed', key: ['kid'], purposeOf: ([kid = '']) => tokenKeyPurpose(kid) },
  byId('consents', 'user_id_sealed', (row) => consentPurpose('user', row)),
  byId('consents', 'bank_consent_id_sealed', (row) => consentPurpose('bank consent', row)),
  byId('bank_tokens', 'tokens_sealed', bankTokenPurpose),
  byId('onboardings', 'answers_sealed', (row) => onboardingPurpose('answers', row)),
  byId('onboardings', 'documents_requested_sealed', (row) => onboardingPurpose('documents requested', row)),
  ...(['named', 'identified', 'evidence'] as const).map((what) =>
    byId('onboarding_signers', `${what}_sealed`, (row) => signerSecretPurpose(what, row)),
  ),
  ...(['name', 'content'] as const).map((what) =>
    byId('onboarding_documents', `${what}_sealed`, (row) => documentPurpose(what, row)),
  ),
  byId('onboarding_signatures', 'proof_sealed', proofPurpose),
  {
    table: 'onboarding_identifications',
    column: 'secret_sealed',
    key: ['partner_id', 'session_id'],
    purposeOf: ([partnerId = '', sessionId = '']) => identificationPurpose(partnerId, sessionId),
  },
  byId('fx_deals', 'terms_sealed', dealPurpose),
  byId('fx_quotes', 'terms_sealed', quotePurpose),
  byId('payrolls', 'terms_sealed', payrollPurpose),
  {
    table: 'payroll_transaction_chunks',
    column: 'content_sealed',
    key: ['partner_id', 'payroll_id', 'number'],
    purposeOf: ([partnerId = '', payrollId = '', number]) =>
      transactionChunkPurpose({ partnerId, payrollId }, Number(number)),
  },
  byId('sca_sessions', 'link_sealed', ({ id }) => scaSealPurpose('link', id)),
  ...(['user', 'redirect', 'text', 'code', 'methods', 'return secret', 'shown'] as const).map((what) => ({
    table: 'sca_steps',
    column: `${what.replace(' ', '_')}_sealed`,
    key: ['partner_id', 'sca_session_id', 'position'],
    purposeOf: ([, sessionId = '']: readonly string[]) => scaSealPurpose(what, sessionId),
  })),
  ...(['signing secret', 'bearer token'] as const).map((what) => ({
    table: 'webhook_endpoints',
    column: `${what.replace(' ', '_')}_sealed`,
    key: ['partner_id', 'subscription_id', 'version'],
    purposeOf: ([partnerId = '', subscriptionId = '', version = '']: readonly string[]) =>
      endpointPurpose(what, { partnerId, subscriptionId, version }),
  })),
  {
    table: 'idempotency',
    column: 'answer',
    key: ['partner_id', 'operation', 'key'],
    purposeOf: ([partnerId = '', operation = '', key = '']) => idempotencyPurpose({ partnerId, operation, key }),
  },
  {
    table: 'console_sign_ins',
    column: 'content_sealed',
    key: ['state_hash'],
    purposeOf: ([stateHash = '']) => pendingSignInPurpose(stateHash),
  },
]

/** Of a table whose rows are known by their partner and an id. */
function byId(
  table: string,
  column: string,
  purposeOf: (row: { readonly partnerId: string; readonly id: string }) => string,
): SealedColumn {
  const key = ['partner_id', 'id']
  return { table, column, key, purposeOf: ([partnerId = '', id = '']) => purposeOf({ partnerId, id }) }
}
