/** Creates payments with exchange, each with its own fake bank, FX provider, clock and simulated crashes. */

import type { ConsentCaller } from '../../consents/consent.ts'
import { consentOf } from '../../consents/consent-lookup.ts'
import type { Context } from '../../context.ts'
import { bookDeal } from '../../fx/deals/book-deal.ts'
import { sampleQuote } from '../../fx/testing/deal-samples.ts'
import { type ScriptedProvider, scriptedProvider } from '../../fx/testing/scripted-provider.ts'
import { newId } from '../../platform/ids.ts'
import { openScaBank, type ScaBank } from '../banks/sca-bank.ts'
import { type CrashingDatabase, crashingDatabase } from '../database/crashing-database.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment, KARI, PSU } from '../payments/sample-payments.ts'

/** One payment with exchange, with its bank, provider, clock and crashes. */
export type ExchangeScenario = {
  readonly context: Context & { readonly database: CrashingDatabase }
  readonly bank: ScaBank
  readonly provider: ScriptedProvider
  readonly paymentId: string
  readonly bankPaymentId: string
  pass(seconds: number): void
}

export type ExchangeScenarios = {
  readonly caller: ConsentCaller
  /** Creates a payment that waits for SCA, with its deadline in two minutes. */
  open(traits: Pick<Parameters<typeof openScaBank>[0], 'signers'>): Promise<ExchangeScenario>
}

/** Time limit for signing a payment. */
export const DEADLINE = { seconds: 120 }

/** Sets up the common user, and the payment that each case copies. */
export async function openExchangeScenarios(gateway: TestGateway): Promise<ExchangeScenarios> {
  const { context: whole, client } = gateway
  const query = async <Row extends object>(sql: string, values: readonly unknown[]) =>
    (await whole.database.pool.query<Row>(sql, [...values])).rows
  const { consentId } = await acceptedConsent(gateway, KARI)
  const requested = { consentId, psu: PSU, body: domesticPayment(gateway) }
  const { paymentId: template } = await client.initiateDomesticPayment(requested)
  const caller = await callerOf(gateway, consentId)
  const [columns] = await query<{ names: string }>(
    `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
     where table_schema = 'public' and table_name = 'payments' and is_generated = 'NEVER'
       and column_name not in ('id', 'bank_payment_id', 'bank_request_id', 'notification_token_hash', 'poll_at', 'quote_id',
         'exchange', 'deadline_at', 'decide_at')`,
    [],
  )
  const names = columns?.names ?? ''
  const copying = `insert into payments (id, bank_payment_id, bank_request_id, notification_token_hash, quote_id, deadline_at,
       decide_at, exchange, ${names})
     select $1, $2, $3, $4, $5, $6, $6, 'unsigned', ${names} from payments where id = $7`
  const row = await whole.banks.find('FJORNO22')
  if (row === undefined) {
    throw new Error('The bank is not there')
  }
  return {
    caller,
    open: async ({ signers }) => {
      let now = whole.clock.now()
      let real = whole.clock.real()
      const bank = openScaBank({ approach: 'redirect', signers, isMute: false, now: () => now })
      const connector = { ...whole.banks.connectorOf(row), ...bank.connector }
      const banks = { ...whole.banks, find: async () => row, connectorOf: () => connector }
      const provider = scriptedProvider(`scripted ${newId()}`)
      const database = crashingDatabase(whole.database.pool)
      const clock = { ...whole.clock, now: () => now, real: () => real }
      const context = { ...whole, clock, database, banks, fx: provider }
      const [paymentId, bankPaymentId] = [newId(), newId()]
      const deadline = now.add(DEADLINE)
      const { partnerId } = caller
      const quote = await sampleQuote(context, { partnerId, provider: provider.name, expiresAt: deadline })
      const ids = [paymentId, bankPaymentId, newId(), newId(), quote.id]
      await query(copying, [...ids, deadline.toString(), template])
      await bookDeal(context, { quote, terms: quote.terms, paymentId })
      const pass = (seconds: number) => {
        now = now.add({ seconds })
        real = real.add({ seconds })
      }
      return { context, bank, provider, paymentId, bankPaymentId, pass }
    },
  }
}

async function callerOf({ context }: TestGateway, consentId: string): Promise<ConsentCaller> {
  const { rows } = await context.database.pool.query<{ partnerId: string }>(
    'select partner_id as "partnerId" from consents where id = $1',
    [consentId],
  )
  const partnerId = rows[0]?.partnerId ?? ''
  const consent = await consentOf(context, { partnerId, consentId })
  if (consent === undefined) {
    throw new Error('There is no consent')
  }
  return { partnerId, partnerName: '', callbackOrigins: [], clientId: '', consent, psu: { ...PSU, headers: {} } }
}
