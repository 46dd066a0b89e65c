/** Tests re-encryption: every encrypted column moves to the newest master key, in use, and after interruptions. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findConsent } from '../../gateway/consents/consent-store.ts'
import type { Context } from '../../gateway/context.ts'
import {
  createSeal,
  generateMasterKeyLine,
  parseMasterKeys,
  type Seal,
} from '../../gateway/platform/crypto/envelope-encryption.ts'
import { nordicBank } from '../../gateway/testing/banks/nordic-banks.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment, KARI } from '../../gateway/testing/payments/sample-payments.ts'
import { openPayrollFixture, PAYROLL_BANKS } from '../../gateway/testing/payrolls/payroll-fixture.ts'
import { type Resealed, resealAll } from './reseal.ts'
import { SEALED_COLUMNS } from './sealed-columns.ts'

const NEW_LINE = generateMasterKeyLine('newest')
let gateway: TestGateway
let rotated: Seal
let withoutOld: Seal
let consentId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  const oldLine = await readFile(gateway.config.masterKeyFile, 'utf8')
  rotated = createSeal(parseMasterKeys(`${NEW_LINE}\n${oldLine}`))
  withoutOld = createSeal(parseMasterKeys(NEW_LINE))
  consentId = await useEveryColumn()
})
afterAll(() => gateway.close())

/** A consent, a payment under a key, a payroll, a webhook endpoint, and an unused link. */
async function useEveryColumn(): Promise<string> {
  const consent = await acceptedConsent(gateway)
  const initiated = await gateway.client.initiateDomesticPayment({
    ...consent,
    body: domesticPayment(gateway),
    idempotencyKey: 'reseal',
  })
  await gateway.client.approvePayments({
    ...consent,
    body: { payments: [initiated.paymentId], callbackUrl: CALLBACK },
  })
  const bank = nordicBank(PAYROLL_BANKS.bulk)
  const stage = openPayrollFixture(gateway)
  await stage.order(bank, stage.payroll(bank, 1))
  const { id } = await gateway.client.createWebhookSubscription({
    body: { targetUrl: 'https://erp.example/hooks', eventTypes: ['PAYMENT_STATUS'] },
  })
  await gateway.client.rotateWebhookBearerToken({ params: { id }, body: { bearerToken: 'kept-apart' } })
  // The client sends a key with every request that takes one.
  await gateway.context.database.pool.query("delete from idempotency where key <> 'reseal'")
  return consent.consentId
}

function around(seal: Seal): Context {
  return { ...gateway.context, seal }
}

function movedBy(resealed: readonly Resealed[]): Record<string, number> {
  return Object.fromEntries(resealed.map(({ table, column, values }) => [`${table}.${column}`, values]))
}

async function underOldKeys(seal: Seal): Promise<number> {
  const counts = await Promise.all(
    SEALED_COLUMNS.map(async ({ table, column }) => {
      const { rows } = await gateway.context.database.pool.query<{ count: number }>(
        `select count(*)::int as count from ${table} where ${column} is not null and substring(${column} for 9) <> $1`,
        [seal.prefix],
      )
      return rows[0]?.count ?? 0
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

describe('the list of encrypted columns', () => {
  it('has every bytea column of the schema, each with the primary key of its table', async () => {
    const { rows } = await gateway.context.database.pool.query<{ column: string; key: string[] }>(`
      select c.table_name || '.' || c.column_name as column, (
        select array_agg(k.column_name::text order by k.ordinal_position)
        from information_schema.table_constraints t
        join information_schema.key_column_usage k using (constraint_schema, constraint_name)
        where t.constraint_type = 'PRIMARY KEY' and t.table_schema = 'public' and t.table_name = c.table_name) as key
      from information_schema.columns c where c.table_schema = 'public' and c.data_type = 'bytea'`)
    const listed = SEALED_COLUMNS.map(({ table, column, key }) => ({ column: `${table}.${column}`, key: [...key] }))
    const byColumn = (one: { column: string }, other: { column: string }) => one.column.localeCompare(other.column)
    expect(listed.toSorted(byColumn)).toEqual(rows.toSorted(byColumn))
  })
})

describe('resealAll', () => {
  it('stops at a value that it cannot decrypt, names it, and continues there once that is repaired', async () => {
    const { pool } = gateway.context.database
    const { rows } = await pool.query<{ answer: Buffer }>('select answer from idempotency')
    const answer = rows[0]?.answer ?? Buffer.alloc(0)
    const broken = Buffer.from(answer)
    broken[20] = (broken[20] ?? 0) ^ 1
    await pool.query('update idempotency set answer = $1', [broken])
    await expect(resealAll(gateway.context, rotated)).rejects.toThrow(
      /^idempotency\.answer of .* reseal cannot be decrypted$/,
    )
    expect(await underOldKeys(rotated)).toBe(1)

    await pool.query('update idempotency set answer = $1', [answer])
    expect(movedBy(await resealAll(gateway.context, rotated))).toEqual({
      'digest_keys.key_sealed': 0,
      'token_keys.private_jwk_sealed': 0,
      'consents.user_id_sealed': 0,
      'consents.bank_consent_id_sealed': 0,
      'onboardings.answers_sealed': 0,
      'onboardings.documents_requested_sealed': 0,
      'onboarding_signers.named_sealed': 0,
      'onboarding_signers.identified_sealed': 0,
      'onboarding_signers.evidence_sealed': 0,
      'onboarding_documents.name_sealed': 0,
      'onboarding_documents.content_sealed': 0,
      'onboarding_signatures.proof_sealed': 0,
      'onboarding_identifications.secret_sealed': 0,
      'fx_deals.terms_sealed': 0,
      'fx_quotes.terms_sealed': 0,
      'payrolls.terms_sealed': 0,
      'payroll_transaction_chunks.content_sealed': 0,
      'sca_sessions.link_sealed': 0,
      'sca_steps.user_sealed': 0,
      'sca_steps.redirect_sealed': 0,
      'sca_steps.text_sealed': 0,
      'sca_steps.code_sealed': 0,
      'sca_steps.methods_sealed': 0,
      'sca_steps.return_secret_sealed': 0,
      'sca_steps.shown_sealed': 0,
      'bank_tokens.tokens_sealed': 0,
      'webhook_endpoints.signing_secret_sealed': 0,
      'webhook_endpoints.bearer_token_sealed': 0,
      'idempotency.answer': 1,
      'console_sign_ins.content_sealed': 0,
    })
    expect(await underOldKeys(rotated)).toBe(0)
  })

  it('leaves nothing that needs the older key, and the plain values unchanged', async () => {
    const { rows } = await gateway.context.database.pool.query<{ partnerId: string }>(
      'select partner_id as "partnerId" from consents',
    )
    const key = { partnerId: rows[0]?.partnerId ?? '', id: consentId }
    expect(await findConsent(around(withoutOld), key)).toMatchObject({ userId: KARI })
    await expect(findConsent(gateway.context, key)).rejects.toThrow('sealed under master key "newest"')
  })

  it('re-encrypts more values than one batch, each once', async () => {
    const { pool } = gateway.context.database
    const partnerId = '00000000-0000-7000-8000-000000000001'
    const keys = Array.from({ length: 1_234 }, (_, number) => String(number))
    const answers = keys.map((key) => gateway.context.seal.seal('{}', `idempotency ${partnerId} x ${key}`))
    await pool.query(
      `insert into idempotency (partner_id, operation, key, fingerprint, started_at, status, answer)
       select $1, 'x', key, '', $2, 200, answer from unnest($3::text[], $4::bytea[]) as given (key, answer)`,
      [partnerId, gateway.context.clock.real().toString(), keys, answers],
    )
    expect(movedBy(await resealAll(gateway.context, rotated))).toMatchObject({ 'idempotency.answer': 1_234 })
    expect(movedBy(await resealAll(gateway.context, rotated))).toMatchObject({ 'idempotency.answer': 0 })
  })
})
