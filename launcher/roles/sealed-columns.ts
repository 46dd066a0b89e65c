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
  /** The purpose of a value, from its row's key as texts. */
  readonly purposeOf: (key: Readonly<Record<string, string>>) => string
}

/** A test compares the list with the columns of the schema. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'digest_keys', column: 'key_sealed', key: ['name'], purposeOf: () => DIGEST_KEY_PURPOSE },
  {
    table: 'token_keys',
    column: 'private_jwk_sealed',
    key: ['kid'],
    purposeOf: ({ kid = '' }) => tokenKeyPurpose(kid),
  },
  ...(['user', 'bank consent'] as const).map((what) => ({
    table: 'consents',
    column: { user: 'user_id_sealed', 'bank consent': 'bank_consent_id_sealed' }[what],
    key: ['partner_id', 'id'],
    purposeOf: (key: Readonly<Record<string, string>>) =>
      consentPurpose(what, { partnerId: key['partner_id'] ?? '', id: key['id'] ?? '' }),
  })),
  {
    table: 'bank_tokens',
    column: 'tokens_sealed',
    key: ['partner_id', 'id'],
    purposeOf: (key) => bankTokenPurpose({ partnerId: key['partner_id'] ?? '', id: key['id'] ?? '' }),
  },
  ...(['answers', 'documents requested'] as const).map((what) => ({
    table: 'onboardings',
    column: { answers: 'answers_sealed', 'documents requested': 'documents_requested_sealed' }[what],
    key: ['partner_id', 'id'],
    purposeOf: (key: Readonly<Record<string, string>>) => onboardingPurpose(what, partnersOwn(key)),
  })),
  ...(['named', 'identified', 'evidence'] as const).map((what) => ({
    table: 'onboarding_signers',
    column: `${what}_sealed`,
    key: ['partner_id', 'id'],
    purposeOf: (key: Readonly<Record<string, string>>) => signerSecretPurpose(what, partnersOwn(key)),
  })),
  ...(['name', 'content'] as const).map((what) => ({
    table: 'onboarding_documents',
    column: `${what}_sealed`,
    key: ['partner_id', 'id'],
    purposeOf: (key: Readonly<Record<string, string>>) => documentPurpose(what, partnersOwn(key)),
  })),
  {
    table: 'onboarding_signatures',
    column: 'proof_sealed',
    key: ['partner_id', 'id'],
    purposeOf: (key) => proofPurpose(partnersOwn(key)),
  },
  {
    table: 'onboarding_identifications',
    column: 'secret_sealed',
    key: ['partner_id', 'session_id'],
    purposeOf: (key) => identificationPurpose(key['partner_id'] ?? '', key['session_id'] ?? ''),
  },
  {
    table: 'fx_deals',
    column: 'terms_sealed',
    key: ['partner_id', 'id'],
    purposeOf: (key) => dealPurpose(partnersOwn(key)),
  },
  {
    table: 'fx_quotes',
    column: 'terms_sealed',
    key: ['partner_id', 'id'],
    purposeOf: (key) => quotePurpose(partnersOwn(key)),
  },
  {
    table: 'payrolls',
    column: 'terms_sealed',
    key: ['partner_id', 'id'],
    purposeOf: (key) => payrollPurpose(partnersOwn(key)),
  },
  {
    table: 'payroll_transaction_chunks',
    column: 'content_sealed',
    key: ['partner_id', 'payroll_id', 'number'],
    purposeOf: (key) =>
      transactionChunkPurpose(
        { partnerId: key['partner_id'] ?? '', payrollId: key['payroll_id'] ?? '' },
        Number(key['number'] ?? ''),
      ),
  },
  {
    table: 'sca_sessions',
    column: 'link_sealed',
    key: ['partner_id', 'id'],
    purposeOf: ({ id = '' }) => scaSealPurpose('link', id),
  },
  ...(['user', 'redirect', 'text', 'code', 'methods', 'return secret', 'shown'] as const).map((what) => ({
    table: 'sca_steps',
    column: `${what.replace(' ', '_')}_sealed`,
    key: ['partner_id', 'sca_session_id', 'position'],
    purposeOf: (key: Readonly<Record<string, string>>) => scaSealPurpose(what, key['sca_session_id'] ?? ''),
  })),
  ...(['signing secret', 'bearer token'] as const).map((what) => ({
    table: 'webhook_endpoints',
    column: { 'signing secret': 'signing_secret_sealed', 'bearer token': 'bearer_token_sealed' }[what],
    key: ['partner_id', 'subscription_id', 'version'],
    purposeOf: (key: Readonly<Record<string, string>>) =>
      endpointPurpose(what, {
        partnerId: key['partner_id'] ?? '',
        subscriptionId: key['subscription_id'] ?? '',
        version: key['version'] ?? '',
      }),
  })),
  {
    table: 'idempotency',
    column: 'answer',
    key: ['partner_id', 'operation', 'key'],
    purposeOf: (row) =>
      idempotencyPurpose({
        partnerId: row['partner_id'] ?? '',
        operation: row['operation'] ?? '',
        key: row['key'] ?? '',
      }),
  },
  {
    table: 'console_sign_ins',
    column: 'content_sealed',
    key: ['state_hash'],
    purposeOf: (row) => pendingSignInPurpose(row['state_hash'] ?? ''),
  },
]

function partnersOwn(key: Readonly<Record<string, string>>): { readonly partnerId: string; readonly id: string } {
  return { partnerId: key['partner_id'] ?? '', id: key['id'] ?? '' }
}
